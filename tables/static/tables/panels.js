// What lies over the felt while nobody moves: the waiting room, a hand's result, the match's.

import { html, nothing, svg } from "../vendor/lit-html.js";
import { handGain, handReasons, handTitle } from "./reasons.js";
import { finishedHands, pipsOf, rules, sideOf, sidesOf } from "./rules.js";
import { halvesOf, tileShape } from "./tiles.js";
import { pipCount, plain, say, signed, tileName } from "./words.js";

const name = (view, seat) => view.table.seats[seat].player.name;

/** A button that sends one command, shown only while the view says that it may be sent. */
function order(state, what, act) {
  return state.view.table.can.includes(what) ? button(state, what, act) : nothing;
}

function button(state, what, act) {
  return html`<button class="button button-main" type="button" data-do=${what}
    ?disabled=${state.pending !== null || state.link !== "open"}
    @click=${() => act.send({ do: what })}>${say(what)}</button>`;
}

/** What the felt shows may be looked at: the panel goes, and comes back by *Result*. */
function closer(act) {
  return html`
    <button class="button button-icon panel-close" type="button" data-do="close" aria-label=${say("close")} @click=${act.fold}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"></path></svg>
    </button>`;
}

/** The button that brings a closed panel back, and *Ready*, which stood on it. */
export function closedPanel(state, act) {
  return html`
    ${order(state, "ready", act)}
    <button class="button" type="button" data-do="result" @click=${act.unfold}>${say("result")}</button>`;
}

// --- before Start ---------------------------------------------------------------------------

/** An organizer may start in the manager's place; the page knows them, the view does not. */
function start(state, act, links) {
  const { can, seats } = state.view.table;
  const may = can.includes("start") || (links.organizer && seats.every(({ sat }) => sat));
  return may ? button(state, "start", act) : nothing;
}

export function waitingPanel(state, act, links) {
  const { table } = state.view;
  const missing = table.seats.filter(({ sat }) => !sat).length;
  return html`
    <section class="panel" aria-labelledby="panel-title">
      <h2 id="panel-title">${say("waiting_title")}</h2>
      ${whatIsPlayed()}
      <p>${say(missing ? "waiting_text" : "all_seated")}</p>
      <ul class="sitters">${table.seats.map((seat) => sitter(seat, table))}</ul>
      <p class="panel-actions">${order(state, "sit", act)}${start(state, act, links)}</p>
      ${proof(table, chance(state, act))}
    </section>`;
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

function sitter({ seat, player, sat }, table) {
  return html`
    <li class=${sat ? "sitter sitter-here" : "sitter"}>
      <span class="sitter-name">${player.name}</span>
      <span class="sitter-state">${say(sat ? "seated" : "not_seated")}${seat === table.manager ? ` · ${say("manager")}` : ""}</span>
    </li>`;
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
      <p class="panel-actions">
        ${order(state, "ready", act)}
        <span class="panel-note">${waiting ? say("ready_wait") : ""} <span class="countdown"></span></span>
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
      <th scope="row">${name(view, seat)}</th>
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

export function matchPanel(state, act, links) {
  const { view } = state;
  const { result } = view.match;
  const seats = view.table.seats.map(({ seat }) => seat).sort((a, b) => result.places[a] - result.places[b] || a - b);
  return html`
    <section class="panel panel-match" aria-labelledby="panel-title">
      ${closer(act)}
      <h2 id="panel-title">${say("match_over")}</h2>
      <table class="result places">
        <caption class="visually-hidden">${say("match_over")}</caption>
        <thead><tr>
          <th scope="col" class="number">${say("place")}</th><th scope="col">${say("player")}</th>
          <th scope="col" class="number">${say("score")}</th><th scope="col" class="number">${say("points")}</th>
        </tr></thead>
        <tbody>${seats.map((seat) => matchRow(view, result, seat))}</tbody>
      </table>
      <p class="panel-actions">
        ${links.standings ? html`<a class="button button-main" href=${links.standings}>${say("to_standings")}</a>` : nothing}
        <a class="button" href=${links.record} download=${`table-${view.table.id}.domino-match.json`}>${say("to_record")}</a>
      </p>
      ${view.match.bank > 0 ? html`<p class="panel-note">${say("bank_lost", { n: view.match.bank })}</p>` : nothing}
      ${lastHand(view)}
      ${proof(view.table)}
    </section>`;
}

function lastHand(view) {
  const ended = view.match.ended.at(-1);
  return ended ? html`<h3>${handTitle(view, ended)}</h3>${handStory(view)}` : nothing;
}

function matchRow(view, result, seat) {
  return html`
    <tr class=${seat === view.table.you ? "me" : ""}>
      <td class="number">${result.places[seat]}.</td>
      <th scope="row">${name(view, seat)}</th>
      <td class="number">${plain(result.scores[sideOf(view.match, seat)])}</td>
      <td class="number"><strong>${signed(result.points[seat])}</strong></td>
    </tr>`;
}
