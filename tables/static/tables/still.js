// Why the match stands still, until when, and what the reader can do about it.

import { html, nothing } from "../vendor/lit-html.js";
import { act as button, closer, invitation } from "./parts.js";
import { mayComeBack, mayPress, nameOf } from "./people.js";
import { minutes, say } from "./words.js";

/** What the table waits for: "empty", "due", "manager", "referee". */
export function waitsFor({ empty, pause, press_due }) {
  if (empty) return "empty";
  return pause ?? (press_due ? "due" : null);
}

export function stillPanel(state, screen, act, links) {
  const { view } = state;
  const what = waitsFor(view.table);
  const back = mayComeBack(view);
  return html`
    <section class="panel panel-still" aria-labelledby="panel-title">
      ${back ? nothing : closer(act)}
      <h2 id="panel-title">${back ? say("you_dropped") : say(`still_${what}`)}</h2>
      ${reasons(view, what, back).map((reason) => html`<p>${reason}</p>`)}
      <p class="panel-note countdown" data-say=${deadline(what, links)}></p>
      ${turnKept(view)}
      <p class="panel-actions">${actions(state, screen, act, links, what)}</p>
    </section>`;
}

function reasons(view, what, back) {
  if (back && view.table.kind === "practice") return [say("dropped_help")];
  if (back) return [say("dropped_help"), say("must_come_back")];
  if (what === "empty") return emptySeats(view).map((seat) => emptyReason(view, seat));
  if (what === "due") return [say("due_help", { name: view.table.manager === null ? say("manager") : nameOf(view, view.table.manager) })];
  return [say(`${what}_help`)];
}

export function emptySeats(view) {
  return view.table.seats.filter(({ empty }) => empty).map(({ seat }) => seat);
}

function emptyReason(view, seat) {
  return say(view.table.seats[seat].dropped ? "seat_dropped" : "seat_left", { name: nameOf(view, seat) });
}

function deadline(what, links) {
  return what === "empty" && links.bots ? "until_robot" : `until_${what}`;
}

/** The turn keeps what it had left. */
function turnKept({ table, match }) {
  if (table.turn_left_ms === null || match.turn === null) return nothing;
  return html`<p class="panel-note">${say("turn_kept", { name: nameOf({ table }, match.turn), time: minutes(table.turn_left_ms) })}</p>`;
}

function actions(state, screen, act, links, what) {
  const { view } = state;
  if (what === "empty") return sitButtons(state, act, links);
  return html`
    ${mayPress(state, "continue", screen, links) && what !== "referee" ? button(state, act, { do: "continue" }, say("continue")) : nothing}
    ${what === "referee" && links.organizer ? html`<button class="button button-main" type="button" data-open="ruling"
      @click=${() => act.open("ruling")}>${say("rule")}</button>` : nothing}
    ${what === "due" && !mayPress(state, "continue", screen, links) && view.table.you !== null ? html`<span class="panel-note">${say("due_wait")}</span>` : nothing}`;
}

function sitButtons(state, act, links) {
  const { view } = state;
  if (mayComeBack(view)) return html`<button class="button button-main button-large" type="button" data-do="back"
    ?disabled=${state.pending !== null || state.link !== "open"} @click=${() => act.send({ do: "sit" })}>${say("come_back")}</button>`;
  if (view.table.you !== null || !view.table.can.includes("sit")) return invitation(links);
  if (links.held) return html`<span class="panel-note">${say("seat_once")}</span>${invitation(links)}`;
  if (!links.account) return html`<a class="button button-main" href=${links.login}>${say("log_in_to_sit")}</a>`;
  return html`
    ${emptySeats(view).map((seat) => button(state, act, { do: "sit", seat }, sitName(view, seat)))}
    <span class="panel-note">${say(view.table.kind === "scheduled" ? "substitute_help" : "no_points")}</span>`;
}

function sitName(view, seat) {
  const { player } = view.table.seats[seat];
  return player ? say("sit_for", { name: player.name }) : say("sit_in", { n: seat + 1 });
}
