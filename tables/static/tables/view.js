// The table's picture: one function a part, each from the view to a template. No rules here: what
// may be done stands in the view (`can`, `legal`).

import { html, nothing, svg } from "../vendor/lit-html.js";
import { chatPanel } from "./chat.js";
import { clockMoved } from "./dialogs.js";
import { endMark, line } from "./line.js";
import { balance, closedPanel, cutPanel, handPanel, matchPanel, waitingPanel } from "./panels.js";
import { icon } from "./parts.js";
import { isAway, isMyTurn, nameOf, standsStill } from "./people.js";
import { placesAround } from "./places.js";
import { rack } from "./rack.js";
import { openingReason, redealReason } from "./reasons.js";
import { finishedHands, forcedOpening, rules, sideOf } from "./rules.js";
import { stillPanel, waitsFor } from "./still.js";
import { say, signed, tileCount, tileName } from "./words.js";

/** The whole table. `screen` is what this device adds to the state (see board.js); `act`: handlers. */
export function tableView(state, screen, act, links) {
  const { view, link } = state;
  if (link === "logged-out" && !view) return loggedOut(links);
  if (!view) return html`<p class="board-wait">${say(link in { gone: 1, banned: 1 } ? link : "connecting")}</p>`;
  return html`
    ${bar(state, screen, act, links)}
    ${banner(state, screen, links)}
    ${view.match ? html`<div class="board-around">${placesAround(ownSeat(view), view.table.seats.length, view.table.clockwise).map(([place, seat]) => seatCard(state, screen, seat, place))}</div>` : nothing}
    <div class="felt">
      ${view.match ? line(view.match, screen, act) : nothing}
      ${feltNotes(state.view)}
      ${panel(state, screen, act, links)}
      ${screen.chat && view.table.chat ? chatPanel(state, screen, act, links) : nothing}
    </div>
    ${view.match ? mine(state, screen, act, links) : nothing}`;
}

/** One quiet line over the table: the connection first, then what was told, then the clock's moves. */
function banner({ view, link }, { note }, links) {
  if (link === "logged-out") return loggedOut(links);
  const text = link in { lost: 1, banned: 1 } ? say(link) : note || clockNote(view);
  return text ? html`<p class="board-lost">${text}</p>` : nothing;
}

function clockNote(view) {
  const n = clockMoved(view);
  return n ? say("clock_moved", { n }) : "";
}

function loggedOut(links) {
  return html`<p class="board-lost">${say("logged_out")} <a href=${links.login}>${say("log_in")}</a></p>`;
}

function mine(state, screen, act, links) {
  const { view } = state;
  return html`
    <div class="mine">
      <div class=${screen.choosing ? "mine-head mine-head-choosing" : "mine-head"}>
        ${seatCard(state, screen, ownSeat(view), "own")}
        ${controls(state, screen, act, links)}
      </div>
      ${view.table.you !== null ? rack(state, screen, act) : nothing}
    </div>`;
}

function panel(state, screen, act, links) {
  const { view } = state;
  if (view.table.status === "waiting" || !view.match) return waitingPanel(state, screen, act, links);
  const key = panelKey(view);
  if (key === null || screen.closed === key) return nothing;
  if (standsStill(view.table)) return stillPanel(state, screen, act, links);
  if (isCut(view)) return cutPanel(state, act, links);
  return view.match.result ? matchPanel(state, act, links) : handPanel(state, act);
}

/** What there is to show while nobody moves, or null. A closed panel stays closed for its key. */
export function panelKey({ table, match }) {
  if (match === null) return null;
  if (standsStill(table)) return `still-${waitsFor(table)}`;
  if (match.result !== null || isCut({ table, match })) return "over";
  return match.phase === "deal" && match.ended.length > 0 ? `hand-${finishedHands(match)}` : null;
}

/** The match is over, and not by play. */
function isCut({ table, match }) {
  return table.status === "abandoned" || (table.status === "finished" && match.result === null);
}

/** What is to be told before the first tile lies: that it was dealt again, which tile must open. */
function feltNotes({ match }) {
  if (!match || match.phase !== "play" || match.line.length > 0) return nothing;
  const forced = forcedOpening(match);
  const notes = [redealReason(match.redeals), forced ? openingReason(match, forced) : ""].filter(Boolean);
  return notes.length ? html`<div class="felt-notes">${notes.map((note) => html`<p>${note}</p>`)}</div>` : nothing;
}

function bar({ view }, screen, act, links) {
  const { match, table } = view;
  return html`
    <header class="board-bar">
      <a class="board-back" href=${links.back} aria-label=${say("back")}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M15 5l-7 7 7 7"></path></svg>
      </a>
      <p class="board-title">${links.title}</p>
      ${match ? html`<ul class="board-facts">${barFacts(match)}</ul>` : html`<span class="board-facts"></span>`}
      ${soundButton(screen, act)}
      ${table.chat ? chatButton(screen, act) : nothing}
      <button class="board-button" type="button" data-open="menu" aria-label=${say("menu")} aria-haspopup="dialog" @click=${() => act.open("menu")}>
        ${icon("M4 7h16M4 12h16M4 17h16")}
      </button>
    </header>`;
}

function soundButton({ sound }, act) {
  return html`
    <button class="board-button" type="button" data-sound aria-pressed=${sound} aria-label=${say("sound")} @click=${act.sound}>
      ${icon(sound ? "M4 9.5v5h3.5L12 19V5L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11" : "M4 9.5v5h3.5L12 19V5L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5")}
    </button>`;
}

/** How much was said unseen stands on the button, and in its name. */
function chatButton({ chat, unread }, act) {
  return html`
    <button class="board-button" type="button" data-open="chat" aria-expanded=${chat} @click=${act.chat}
      aria-label=${unread ? say("chat_unread", { n: unread }) : say("chat")}>
      ${icon("M5 5h14v10h-8l-4 4v-4H5z")}
      ${unread ? html`<span class="board-unread" aria-hidden="true">${unread}</span>` : nothing}
    </button>`;
}

function barFacts(match) {
  return html`
    <li>${progress(match)}</li>
    ${rules.draw !== "none" ? html`<li data-stock>${stock(match)}</li>` : nothing}
    ${match.bank > 0 ? html`<li class="board-bank">${say("bank", { n: match.bank })}</li>` : nothing}
    ${match.sum === null ? nothing : html`<li class="board-sum">${say("sum", { n: match.sum })}</li>`}`;
}

/** Which hand it is, and what the match goes to. */
function progress(match) {
  const n = match.phase === "play" ? match.hand + 1 : Math.max(1, finishedHands(match));
  return say(`hand_of_${match.length.kind}`, { n, total: match.length.number });
}

/** The stock; what of it may never be drawn stands apart. */
function stock({ stock: all, drawable }) {
  if (!rules.reserve || all <= drawable) return say("stock", { n: all });
  const n = { n: drawable, reserve: all - drawable };
  return html`<span aria-hidden="true">${say("stock", { n: `${n.n} + ${n.reserve}` })}</span><span class="visually-hidden">${say("stock_reserve", n)}</span>`;
}

// --- who sits where -------------------------------------------------------------------------

export function ownSeat(view) {
  return view.table.you ?? 0;
}

function seatCard(state, screen, seat, place) {
  const { view } = state;
  const { table, match } = view;
  const onTurn = match !== null && match.turn === seat && !isCut(view);
  const classes = ["seat", `seat-${place}`, sideClass(match, seat), onTurn ? "seat-turn" : "", absence(state, seat)];
  return html`
    <section class=${classes.join(" ")} data-seat=${seat}>
      ${avatar(nameOf(view, seat), onTurn)}
      <div class="seat-text">
        <h2 class="seat-name">${nameOf(view, seat)}</h2>
        <p class="seat-facts">${seatFacts(state, seat)}</p>
      </div>
      ${match ? html`<p class="seat-score"><span class="visually-hidden">${say("score")}</span> ${balance(match, sideOf(match, seat))}</p>` : nothing}
      ${screen.flash?.seat === seat ? html`<p class="flash" aria-hidden="true">${signed(screen.flash.scored)}</p>` : nothing}
      ${match && match.phase === "play" && seat !== table.you ? held(match.counts[seat]) : nothing}
    </section>`;
}

/** Partners share a colour. */
function sideClass(match, seat) {
  return match?.partners ? `seat-side-${sideOf(match, seat)}` : "";
}

/** How a seat looks whose player is away, or that nobody holds. */
function absence(state, seat) {
  if (state.view.table.seats[seat].empty) return "seat-away seat-empty";
  return isAway(state, seat) ? "seat-away" : "";
}

function seatFacts(state, seat) {
  const { table, match } = state.view;
  const facts = [];
  if (seat === table.you) facts.push(say("you"));
  if (match?.partners && table.you !== null && seat === (table.you + 2) % 4) facts.push(say("partner"));
  if (match?.length.kind === "wins" && rules.hand_scoring !== "one_win") facts.push(say("won", { n: match.wins[sideOf(match, seat)] }));
  if (match?.phase === "play" && match.last?.seat === seat && match.last.draw) facts.push(say("drew", { n: match.last.draw }));
  if (match?.passed.includes(seat)) facts.push(html`<strong class="seat-passed">${say("passed")}</strong>`);
  return [...facts, ...holderFacts(state, seat)].map((fact, index) => html`${index ? " · " : ""}${fact}`);
}

/** Whether somebody holds the seat, and how their time stands. */
function holderFacts(state, seat) {
  const { table, match } = state.view;
  const { empty, dropped, bot, auto_moves: moved } = table.seats[seat];
  if (empty) return [html`<strong class="seat-passed">${say(dropped ? "dropped" : "empty")}</strong>`];
  const facts = bot ? [say(`bot_${bot}`)] : bankFacts(table, match, seat);
  if (moved) facts.push(html`<strong class="seat-passed">${say("by_clock", { n: moved })}</strong>`);
  if (isAway(state, seat)) facts.push(say("away"));
  return facts;
}

/** The bank's figures are the clock's to write. */
function bankFacts({ bank_seconds: bank, status, seats }, match, seat) {
  if (!bank || status !== "playing") return [];
  return [html`<span class="bank">${say("time_bank")} <span class="bank-time" data-bank=${seats[seat].bank_ms} ?data-turn=${match?.turn === seat}></span></span>`];
}

function avatar(name, onTurn) {
  const initials = name.split(/\s+/).slice(0, 2).map((word) => [...word][0]).join("");
  return html`
    <svg class="avatar" viewBox="0 0 44 44" aria-hidden="true">
      <circle class="avatar-face" cx="22" cy="22" r="17"></circle>
      ${onTurn ? svg`<text class="ring-seconds" x="22" y="29" text-anchor="middle"></text>` : nothing}
      <text class="initials" x="22" y="27" text-anchor="middle">${initials}</text>
      ${onTurn ? svg`<circle class="ring" cx="22" cy="22" r="20" pathLength="100"></circle>
        <circle class="ring-time" cx="22" cy="22" r="20" pathLength="100" transform="rotate(-90 22 22)"></circle>` : nothing}
    </svg>`;
}

/** How many tiles a seat holds: a small picture and the number. */
function held(count) {
  const step = Math.min(7, 66 / Math.max(count, 1));
  const width = count ? (count - 1) * step + 7 : 0;
  const tiles = Array.from({ length: count }, (_, i) => svg`<rect x=${i * step} y="0.5" width="6" height="11" rx="1.5"></rect>`);
  return html`
    <p class="held">
      <svg class="backs" viewBox=${`-0.5 0 ${width} 12`} width=${width} height="12" aria-hidden="true">${tiles}</svg>
      <span aria-hidden="true">${count}</span><span class="visually-hidden">${tileCount(count)}</span>
    </p>`;
}

// --- what I can do --------------------------------------------------------------------------

function controls(state, screen, act, links) {
  const { view } = state;
  if (screen.choosing) return endChoice(view.match, screen.choosing, act);
  const can = state.link === "open" && !state.pending ? view.table.can : [];
  const key = panelKey(view);
  return html`
    <div class="controls">
      ${key !== null
        ? screen.closed === key ? closedPanel(state, screen, act, links, standsStill(view.table)) : nothing
        : html`<p class=${isMyTurn(view) ? "status status-mine" : "status"}>${statusText(state)}
          ${isMyTurn(view) ? html`<span class="own-seconds" aria-hidden="true"></span>` : nothing}</p>`}
      ${can.includes("draw") ? html`<button class="button button-main" type="button" data-do="draw"
        @click=${() => act.send({ do: "draw" })}>${say(rules.draw === "pairs" ? "draw_pairs" : "draw")}</button>` : nothing}
      ${can.includes("pass") ? html`<button class="button button-main" type="button" data-do="pass"
        @click=${() => act.send({ do: "pass" })}>${say("pass")}</button>` : nothing}
    </div>`;
}

function endChoice(match, tile, act) {
  const button = (end, key) => html`<button class="button button-main" type="button" data-end=${end}
    @click=${() => act.choose(end)}>${end === "L" ? endMark(end) : nothing}${say(key, { n: match.ends[end] })}${end === "R" ? endMark(end) : nothing}</button>`;
  return html`
    <div class="controls controls-ends" role="group" aria-label=${say("choose_end", { tile: tileName(tile) })}>
      ${button("L", "left")}${button("R", "right")}
      <button class="button button-icon" type="button" aria-label=${say("cancel")} @click=${act.cancel}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"></path></svg>
      </button>
    </div>`;
}

function statusText({ view, link, pending }) {
  if (link !== "open") return say("waiting_link");
  if (pending) return say("sending");
  if (isMyTurn(view)) return say(forcedOpening(view.match) ? "your_opening" : "your_turn");
  if (view.match.turn === null) return "";
  return say("turn_of", { name: nameOf(view, view.match.turn) });
}
