// What lies over the felt while nobody moves: the waiting room, a hand's result, the match's.

import { html, nothing, svg } from "../vendor/lit-html.js";
import { act as command, closer, invitation } from "./parts.js";
import { isAway, mayPress, nameOf, own } from "./people.js";
import { handGain, handReasons, handTitle } from "./reasons.js";
import { finishedHands, pipsOf, rules, sideOf, sidesOf } from "./rules.js";
import { standingList } from "./standing.js";
import { halvesOf, tileShape } from "./tiles.js";
import { pipCount, plain, say, signed, tileName } from "./words.js";

/** A button that sends one command, shown only while the view says that it may be sent. */
function order(state, what, act) {
  return state.view.table.can.includes(what) ? command(state, act, { do: what }, say(what)) : nothing;
}

/** The button that brings a closed panel back, and what to press next, which stood on it. */
export function closedPanel(state, screen, act, links, still) {
  const goOn = still && mayPress(state, "continue", screen, links) && state.view.table.pause !== "referee";
  return html`
    ${goOn ? command(state, act, { do: "continue" }, say("continue")) : nothing}
    ${order(state, "ready", act)}
    <button class="button" type="button" data-do="result" @click=${act.unfold}>${say(still ? "why_still" : "result")}</button>`;
}

// --- before Start ---------------------------------------------------------------------------

export function waitingPanel(state, screen, act, links) {
  const { table } = state.view;
  const missing = table.seats.some(({ sat, empty }) => !sat || empty);
  return html`
    <section class="panel" aria-labelledby="panel-title">
      <h2 id="panel-title">${say("waiting_title")}</h2>
      ${whatIsPlayed()}
      ${table.kind === "scheduled" ? nothing : html`<p class="panel-note">${say("no_points")}</p>`}
      <p>${say(missing ? "waiting_text" : "all_seated")}
        ${table.press_due ? html`<span class="panel-note countdown" data-say="until_start"></span>` : nothing}</p>
      <ul class="sitters">${table.seats.map((seat) => sitter(state, seat, act, links))}</ul>
      <p class="panel-actions">${sitDown(state, act, links)}
        ${missing ? invitation(links) : nothing}
        ${mayPress(state, "start", screen, links) ? command(state, act, { do: "start" }, say("start")) : nothing}
        ${table.can.includes("leave") ? command(state, act, { do: "leave", price: table.price }, say("get_up"), "") : nothing}</p>
      ${proof(table, chance(state, act))}
    </section>`;
}

/** A scheduled seat is one's own; elsewhere a seat is chosen in the list. */
function sitDown(state, act, links) {
  const { table } = state.view;
  if (!table.can.includes("sit")) return nothing;
  if (table.you === null && !links.account) return html`<a class="button button-main" href=${links.login}>${say("log_in_to_sit")}</a>`;
  return table.you === null ? nothing : command(state, act, { do: "sit" }, say("sit"));
}

/** The game in a line, and what is played otherwise than usual. */
function whatIsPlayed() {
  const [game, ...differences] = rules.words;
  return html`
    <p class="panel-rules"><strong>${game}</strong></p>
    ${differences.length ? html`<ul class="panel-differences">${differences.map((each) => html`<li>${each}</li>`)}</ul>` : nothing}`;
}

/** A seat may mix something of its own into the shuffle: a press adds what this device draws. */
function chance(state, act) {
  const { table } = state.view;
  if (table.you === null || !table.can.includes("contribute")) return nothing;
  const given = table.contributions[table.you];
  const send = () => act.send({ do: "contribute", contribution: randomHex() });
  return html`
    <dl><dt>${say("own_chance")}</dt><dd><code>${given || "–"}</code></dd></dl>
    <button class="button" type="button" data-do="contribute" ?disabled=${state.pending !== null}
      @click=${send}>${say("add_chance")}</button>`;
}

function randomHex() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function sitter(state, seat, act, links) {
  const { view } = state;
  const here = seat.sat && !seat.empty;
  return html`
    <li class=${here ? "sitter sitter-here" : "sitter"}>
      <span class="sitter-name">${nameOf(view, seat.seat)}</span>
      <span class="sitter-state">${sitterFacts(state, seat, here)}</span>
      ${seatChoice(state, seat, act, links)}
    </li>`;
}

function sitterFacts(state, seat, here) {
  const { table } = state.view;
  const facts = [say(here ? "seated" : seat.player ? "not_seated" : "seat_free")];
  if (seat.seat === table.manager) facts.push(say("manager"));
  if (here && isAway(state, seat.seat)) facts.push(say("away"));
  return facts.join(" · ");
}

/** Sit down here, change to here, or offer to change with who sits here. */
function seatChoice(state, { seat, player, empty, bot, swap_with: wish }, act, links) {
  const { table } = state.view;
  if (table.you === null) {
    const free = empty && table.can.includes("sit") && links.account;
    return free ? command(state, act, { do: "sit", seat }, say("sit_here")) : nothing;
  }
  if (seat === table.you || bot || !table.can.includes("swap")) return nothing;
  if (!player) return command(state, act, { do: "swap", seat }, say("sit_here"), "");
  if (own(state.view).swap_with === seat) return html`<span class="sitter-state">${say("swap_offered")}</span>`;
  return wish === table.you
    ? command(state, act, { do: "swap", seat }, say("swap_accept"))
    : command(state, act, { do: "swap", seat }, say("swap_offer"), "");
}

/** How the shuffle can be proved: the commitment, and after the match the secret. */
function proof({ commitment, secret }, more = nothing) {
  return html`
    <details class="proof">
      <summary>${say("proof")}</summary>
      <p>${say("proof_help")}</p>
      <dl>
        <dt>${say("commitment")}</dt><dd><code>${commitment}</code></dd>
        ${secret ? html`<dt>${say("secret")}</dt><dd><code>${secret}</code></dd>` : nothing}
      </dl>
      ${more}
    </details>`;
}

// --- between hands --------------------------------------------------------------------------

export function handPanel(state, act) {
  const { view } = state;
  const { table } = view;
  const waiting = table.you !== null && table.seats[table.you].ready;
  return html`
    <section class="panel panel-hand" aria-labelledby="panel-title">
      ${closer(act)}
      <h2 id="panel-title">${handTitle(view, view.match.ended.at(-1))}</h2>
      ${handStory(view)}
      ${standingList(view)}
      <p class="panel-actions">
        ${order(state, "ready", act)}
        <span class="panel-note">${waiting ? say("ready_wait") : ""} <span class="countdown" data-say="next_in"></span></span>
      </p>
    </section>`;
}

function handStory(view) {
  return html`
    <p class="panel-reasons">${handReasons(view).join(" ")}</p>
    ${handTable(view)}`;
}

/** What each seat had left of the hand that ended last, and what each side scored. */
function handTable(view) {
  return html`
    <table class="result">
      <caption class="visually-hidden">${say("hand_result", { n: finishedHands(view.match) })}</caption>
      <thead><tr>
        <th scope="col">${say("player")}</th><th scope="col">${say("tiles_left")}</th>
        <th scope="col" class="number">${say("this_hand")}</th><th scope="col" class="number">${say("total")}</th>
      </tr></thead>
      ${sidesOf(view.match).map((seats, side) => html`
        <tbody>${seats.map((seat, index) => handRow(view, seat, index === 0 ? sideCells(view, side, seats.length) : nothing))}</tbody>`)}
    </table>`;
}

function handRow(view, seat, scores) {
  const rack = view.match.ended.at(-1).racks?.[seat] ?? [];
  return html`
    <tr class=${seat === view.table.you ? "me" : ""}>
      <th scope="row">${nameOf(view, seat)}</th>
      <td>${leftTiles(rack)}</td>
      ${scores}
    </tr>`;
}

/** A side's scores stand once, beside the rows of both partners. */
function sideCells(view, side, rows) {
  return html`
    <td class="number" rowspan=${rows}>${signed(handGain(view, side))}</td>
    <td class="number" rowspan=${rows}>${balance(view.match.ended.at(-1), side)}</td>`;
}

/** A side's total; while its account is closed, what it has drafted. */
export function balance({ totals, drafts, open }, side) {
  if (open === null) return plain(totals[side]);
  if (open[side]) return html`${plain(totals[side])} <small class="account">${say("open")}</small>`;
  return html`<span class="draft">${plain(drafts[side])}</span> <small class="account">${say(drafts[side] ? "draft" : "closed")}</small>`;
}

function leftTiles(tiles) {
  if (tiles.length === 0) return html`<span class="none">–</span>`;
  return html`<span class="left-tiles">${tiles.map((tile) => html`
    <svg class="left-tile" viewBox="-1 -0.5 2 1" role="img" aria-label=${tileName(tile)}>${svg`${tileShape(...halvesOf(tile))}`}</svg>`)}
    <span class="left-pips">${pipCount(pipsOf(tiles))}</span></span>`;
}

// --- after the match ------------------------------------------------------------------------

/** The places and points of a match played to its end; friendly tables count no points. */
export function matchPanel(state, act, links) {
  const { view } = state;
  const { result } = view.match;
  const scores = view.table.seats.map(({ seat }) => result.scores[sideOf(view.match, seat)]);
  return html`
    <section class="panel panel-match" aria-labelledby="panel-title">
      ${closer(act)}
      <h2 id="panel-title">${say("match_over")}</h2>
      ${placesTable(view, { ...result, scores }, say("match_over"))}
      <p class="panel-note">${say(view.table.kind === "scheduled" ? "points_help" : "no_points")}</p>
      ${afterwards(view, links)}
      ${view.match.bank > 0 ? html`<p class="panel-note">${say("bank_lost", { n: view.match.bank })}</p>` : nothing}
      ${lastHand(view)}
      ${proof(view.table)}
    </section>`;
}

/** Who came where: places by seat, scores by seat or null, points by seat where they count. */
function placesTable(view, { places, scores, points }, caption) {
  const counts = view.table.kind === "scheduled";
  const seats = view.table.seats.map(({ seat }) => seat).sort((a, b) => places[a] - places[b] || a - b);
  return html`
    <table class="result places">
      <caption class="visually-hidden">${caption}</caption>
      <thead><tr>
        <th scope="col" class="number">${say("place")}</th><th scope="col">${say("player")}</th>
        ${scores ? html`<th scope="col" class="number">${say("score")}</th>` : nothing}${counts ? html`<th scope="col" class="number">${say("points")}</th>` : nothing}
      </tr></thead>
      <tbody>${seats.map((seat) => html`
        <tr class=${seat === view.table.you ? "me" : ""}>
          <td class="number">${places[seat]}.</td>
          <th scope="row">${nameOf(view, seat)}</th>
          ${scores ? html`<td class="number">${plain(scores[seat])}</td>` : nothing}${counts ? html`<td class="number"><strong>${signed(points[seat])}</strong></td>` : nothing}
        </tr>`)}</tbody>
    </table>`;
}

/** Where to go from here. */
function afterwards(view, links) {
  const link = (key, address, look = "") => (address ? html`<a class=${`button ${look}`} href=${address}>${say(key)}</a>` : nothing);
  return html`
    <p class="panel-actions">
      ${link("to_next", links.next, "button-main")}
      ${link("rematch", links.rematch, "button-main")}
      ${link("to_standings", links.standings, links.next ? "" : "button-main")}
      ${link("to_replay", links.replay)}
      <a class="button" href=${links.record} download=${`table-${view.table.id}.domino-match.json`}>${say("to_record")}</a>
    </p>`;
}

/** A match that did not end by play: given up, or decided by the referee, whose places and reason
 *  stand in the view. */
export function cutPanel({ view }, act, links) {
  const { decision } = view.table;
  const how = decision === null && view.table.status === "abandoned" ? "abandoned" : "decided";
  const counts = say(view.table.kind === "scheduled" ? `${how}_points` : "no_points");
  return html`
    <section class="panel panel-match" aria-labelledby="panel-title">
      ${closer(act)}
      <h2 id="panel-title">${say(`${how}_title`)}</h2>
      <p>${say(`${how}_help`)}</p>
      ${decision?.reason ? html`<p>${say("ruling_reason", { reason: decision.reason })}</p>` : nothing}
      ${decision ? placesTable(view, decision, say(`${how}_title`)) : nothing}
      <p class="panel-note">${counts}</p>
      ${afterwards(view, links)}
      ${proof(view.table)}
    </section>`;
}

function lastHand(view) {
  const ended = view.match.ended.at(-1);
  return ended ? html`<h3>${handTitle(view, ended)}</h3>${handStory(view)}` : nothing;
}
