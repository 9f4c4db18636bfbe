// The replay of a finished match: its record, a hand, a move and who looks → the picture. What the
// hand's list says comes from the server; the address always names the moment that is shown.

import { html, nothing, render, svg } from "../vendor/lit-html.js";
import { layLine } from "./layout.js";
import { momentsOf, stintsOf, viewOfEnd } from "./moments.js";
import { robotName } from "./people.js";
import { handReasons, handTitle, redealReason } from "./reasons.js";
import { rules, sideOf } from "./rules.js";
import { canCompute } from "./shuffle.js";
import { halvesOf, tileShape } from "./tiles.js";
import { verifyShuffle } from "./verify.js";
import { plain, say, signed, tileCount, tileName } from "./words.js";

const root = document.getElementById("replay");
const list = document.getElementById("hand");
const proof = document.getElementById("verify");
const shown = {
  hand: Number(root.dataset.hand) - 1,
  move: Number(root.dataset.move),
  seat: "seat" in root.dataset ? Number(root.dataset.seat) : null,
  room: { width: 360, height: 280 },
};
let record = null;
let moments = [];

// --- the moment that is shown ---------------------------------------------------------------

function go(change) {
  const before = shown.hand;
  Object.assign(shown, change);
  if (shown.hand !== before) takeHand();
  history.replaceState(null, "", address());
  document.querySelectorAll("form.languages [name=next]").forEach((next) => (next.value = location.pathname + location.search));
  draw();
}

function address() {
  const asked = new URLSearchParams({ hand: shown.hand + 1, move: shown.move });
  if (shown.seat !== null) asked.set("seat", shown.seat);
  return `?${asked}`;
}

/** One move on or back; beyond the end of a hand lies the deal of the next. */
function step(by) {
  const move = shown.move + by;
  if (move >= 0 && move < moments.length) return go({ move });
  const hand = shown.hand + by;
  if (hand < 0 || hand >= record.hands.length) return;
  go({ hand, move: by > 0 ? 0 : record.hands[hand].moves.length });
}

function takeHand() {
  moments = momentsOf(record, shown.hand);
  fetchList(shown.hand);
}

/** The words of another hand come from the server; the newest wish alone is shown. */
async function fetchList(hand) {
  const answer = await fetch(address(), { headers: { "HX-Request": "true" } });
  if (!answer.ok || hand !== shown.hand) return;
  const part = new DOMParser().parseFromString(await answer.text(), "text/html");
  list.replaceChildren(...part.body.children);
  mark();
}

/** Show in the lists where we are. */
function mark() {
  const moves = list.querySelectorAll("[data-move]");
  for (const link of moves) setCurrent(link.parentElement, Number(link.dataset.move) === shown.move, "step");
  for (const link of document.querySelectorAll(".replay-hands [data-hand]")) {
    setCurrent(link, Number(link.dataset.hand) === shown.hand + 1, "page");
  }
}

function setCurrent(element, current, what) {
  if (current) element.setAttribute("aria-current", what);
  else element.removeAttribute("aria-current");
}

function keyed(event) {
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.matches("input, select, textarea")) return; // the slider has its own arrows
  if (!(event.key in steps)) return;
  event.preventDefault();
  step(steps[event.key]);
}

function followed(event) {
  const link = event.target.closest("a[data-move], a[data-hand]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if ("move" in link.dataset) go({ move: Number(link.dataset.move) });
  else go({ hand: Number(link.dataset.hand) - 1, move: 0 });
}

// --- the picture ----------------------------------------------------------------------------

function draw() {
  const moment = moments[shown.move];
  render(picture(moment), root);
  mark();
  measure();
}

function picture(moment) {
  return html`
    <p class="replay-now" role="status">${sentence(moment)}</p>
    <div class="replay-felt felt">${line(moment)}</div>
    ${controls()}
    <ul class="replay-seats">${order().map((seat) => seatCard(moment, seat))}</ul>
    <p class="replay-facts-line">${facts(moment)}</p>
    ${moment.over ? reasons() : nothing}`;
}

function sentence({ move }) {
  const { starter, redeals = [] } = record.hands[shown.hand];
  if (!move) return `${redealReason(redeals.map(({ reason }) => reason))} ${say("replay_dealt", { name: nameOf(starter) })}`.trim();
  const name = nameOf(move.seat);
  if (move.pass) return say("say_passed", { name });
  if (move.draw) return drewSentence(move, name);
  const played = say("say_played", { name, tile: tileName(move.play) });
  return move.scored ? `${played} ${say("replay_scored", { n: move.scored })} ${signed(move.scored)}` : played;
}

function drewSentence({ seat, draw: tiles }, name) {
  const words = isOpen(seat) ? tiles.map(tileName).join(", ") : tileCount(tiles.length);
  return say("replay_drew", { name, tiles: words });
}

function nameOf(seat) {
  return seats()[seat].player.name;
}

function seats() {
  const stints = stintsOf(record, shown.hand);
  return stints.map((stint, seat) => ({
    seat,
    bot: null,
    player: { id: stint?.id ?? null, name: nameIn(stints, seat) },
  }));
}

function nameIn(stints, seat) {
  if (!stints[seat]) return say("verify_seat", { n: seat + 1 });
  const robots = stints.flatMap((stint, at) => (stint?.how === "bot" ? [at] : []));
  return robots.includes(seat) ? robotName(robots, seat) : stints[seat].name;
}

/** Who looks comes first, then in playing order. */
function order() {
  const first = shown.seat ?? 0;
  return Array.from({ length: record.seats }, (_, index) => (first + index) % record.seats);
}

/** Whether a rack is shown: to its own seat, to who looks at all, and turned over at the end. */
function isOpen(seat) {
  return shown.seat === null || shown.seat === seat || moments[shown.move].over;
}

function line({ line: halves, first, move }) {
  const { tiles, box } = layLine(halves, first ?? 0, shown.room.width, shown.room.height);
  const newest = !move?.play ? -1 : move.end === "L" ? 0 : halves.length - 1;
  return html`
    <svg class="line" role="img" aria-label=${lineLabel(halves)}
      viewBox=${[box.x, box.y, box.width, box.height].map((n) => n.toFixed(2)).join(" ")}>
      ${tiles.map((tile, index) => svg`
        <g class=${index === newest ? "tile tile-new" : "tile"}
          transform=${`translate(${tile.x} ${tile.y}) rotate(${tile.turn})`}>${tileShape(tile.a, tile.b)}</g>`)}
    </svg>`;
}

function lineLabel(halves) {
  if (halves.length === 0) return say("line_empty");
  return say("line_label", { tiles: tileCount(halves.length), left: halves[0][0], right: halves.at(-1)[1] });
}

function seatCard(moment, seat) {
  const onMove = moment.move?.seat === seat;
  return html`
    <li class=${onMove ? "replay-seat replay-seat-moved" : "replay-seat"} data-seat=${seat}>
      <span class="replay-name">${nameOf(seat)}${onMove && moment.move.pass ? html` <span class="soft small">${say("passed")}</span>` : nothing}</span>
      <span class="replay-score number">${score(moment, sideOf(record, seat))}</span>
      <span class="replay-rack">${moment.racks[seat].map((tile) => rackTile(tile, isOpen(seat)))}
        ${isOpen(seat) ? nothing : html`<span class="visually-hidden">${tileCount(moment.racks[seat].length)}</span>`}</span>
    </li>`;
}

function score({ totals, drafts, open }, side) {
  if (open === null || open[side]) return plain(totals[side]);
  return html`${plain(drafts[side])} <small>${say(drafts[side] ? "draft" : "closed")}</small>`;
}

function rackTile(tile, open) {
  if (!open) return html`<svg class="replay-back" viewBox="-1 -0.5 2 1" aria-hidden="true"><rect x="-0.96" y="-0.46" width="1.92" height="0.92" rx="0.15"></rect></svg>`;
  return html`<svg class="left-tile" viewBox="-1 -0.5 2 1" role="img" aria-label=${tileName(tile)}>${svg`${tileShape(...halvesOf(tile))}`}</svg>`;
}

function facts({ stock, bank }) {
  const all = [rules.draw === "none" ? "" : say("stock", { n: stock.length }), bank > 0 ? say("bank", { n: bank }) : ""];
  return all.filter(Boolean).join(" · ");
}

function reasons() {
  const view = viewOfEnd(record, shown.hand, seats());
  return html`<p class="replay-reasons"><strong>${handTitle(view, view.match.ended.at(-1))}.</strong> ${handReasons(view).join(" ")}</p>`;
}

// --- buttons, slider, who looks -------------------------------------------------------------

const PATHS = {
  first: "M18 5l-7 7 7 7M7 5v14",
  back: "M15 5l-7 7 7 7",
  on: "M9 5l7 7-7 7",
  last: "M6 5l7 7-7 7M17 5v14",
};

function controls() {
  const last = moments.length - 1;
  const isStart = shown.hand === 0 && shown.move === 0;
  const isEnd = shown.hand === record.hands.length - 1 && shown.move === last;
  return html`
    <div class="replay-controls">
      ${button("first", shown.move === 0, () => go({ move: 0 }))}
      ${button("back", isStart, () => step(-1))}
      <input type="range" min="0" max=${last} .value=${String(shown.move)} aria-label=${say("replay_move")}
        aria-valuetext=${say("replay_step", { n: shown.move, total: last })}
        @input=${({ target }) => go({ move: Number(target.value) })}>
      ${button("on", isEnd, () => step(1))}
      ${button("last", shown.move === last, () => go({ move: last }))}
    </div>
    <label class="replay-looks"><span class="visually-hidden">${say("replay_looks")}</span>
      <select @change=${({ target }) => go({ seat: target.value === "" ? null : Number(target.value) })}>
        <option value="" ?selected=${shown.seat === null}>${say("replay_open")}</option>
        ${seats().map(({ seat }) => html`<option value=${seat} ?selected=${shown.seat === seat}>${say("replay_seat", { name: nameOf(seat) })}</option>`)}
      </select>
      <span class="soft">${say("replay_step", { n: shown.move, total: last })}</span>
    </label>`;
}

function button(what, disabled, act) {
  return html`<button class="button button-icon" type="button" data-step=${what} aria-label=${say(`replay_${what}`)}
    ?disabled=${disabled} @click=${act}><svg viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[what]}></path></svg></button>`;
}

/** The line is laid for the room it has. */
function measure() {
  const { clientWidth: width, clientHeight: height } = root.querySelector(".replay-felt");
  if (!width || !height || (width === shown.room.width && height === shown.room.height)) return;
  shown.room = { width, height };
  render(picture(moments[shown.move]), root);
}

// --- the proof ------------------------------------------------------------------------------

async function verify() {
  if (!canCompute()) return render(html`<p role="status">${say("verify_cannot")}</p>`, proof);
  const lines = await verifyShuffle(record, rules);
  const wrong = lines.filter(({ holds }) => !holds).length;
  const total = { n: wrong || lines.length, total: lines.length };
  render(html`
    <p role="status" class=${wrong ? "verify-sum minus" : "verify-sum plus"}><strong>${say(wrong ? "verify_some" : "verify_all", total)}</strong></p>
    <ul class="verify-lines">${lines.map(verified)}</ul>`, proof);
}

function verified({ what, hand, attempt, holds, found, computed }) {
  const name = say(`verify_${what}`, { n: hand + 1, attempt: attempt + 1 });
  const told = (value) => (what === "lot" ? say("verify_seat", { n: value + 1 }) : value);
  return html`
    <li data-holds=${holds ? "yes" : "no"}><details>
      <summary>${name}: <strong class=${holds ? "plus" : "minus"}>${say(holds ? "verify_holds" : "verify_fails")}</strong></summary>
      <dl class="replay-facts"><dt>${say("verify_found")}</dt><dd><code>${told(found)}</code></dd>
      <dt>${say("verify_computed")}</dt><dd><code>${told(computed)}</code></dd></dl>
    </details></li>`;
}

async function begin() {
  const answer = await fetch(root.dataset.record);
  if (!answer.ok) throw new Error(`${answer.status}`);
  record = await answer.json();
  moments = momentsOf(record, shown.hand);
  root.hidden = false;
  draw();
  if (location.search) root.scrollIntoView({ block: "start" }); // a link leads to its move
  new ResizeObserver(measure).observe(root);
  document.addEventListener("keydown", keyed);
  document.addEventListener("click", followed);
  if (!proof) return;
  proof.hidden = false;
  proof.querySelector("button").addEventListener("click", verify, { once: true });
}

begin().catch(() => {
  root.hidden = false;
  render(html`<p role="alert">${say("replay_failed")}</p>`, root);
});
