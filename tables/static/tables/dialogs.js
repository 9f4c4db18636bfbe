// The table's menu and the questions asked before what cannot be taken back.

import { html, nothing } from "../vendor/lit-html.js";
import { nameOf, own, standsStill } from "./people.js";
import { rules, sidesOf } from "./rules.js";
import { standingList } from "./standing.js";
import { say } from "./words.js";

/** All dialogs of the table, closed until they are opened. */
export function dialogs(state, screen, act, links) {
  if (!state.view) return nothing;
  return html`${menu(state, act, links)}${leaving(state, act)}${calling(state, act)}${ruling(state, screen, act, links)}`;
}

function dialog(id, title, content) {
  return html`
    <dialog id=${id} class="dialog dialog-wide" aria-labelledby=${`${id}-title`}>
      <h2 id=${`${id}-title`}>${title}</h2>
      ${content}
    </dialog>`;
}

function dismiss(text) {
  return html`<form method="dialog"><button class="button" type="submit">${text}</button></form>`;
}

function busy({ pending, link }) {
  return pending !== null || link !== "open";
}

// --- the menu -------------------------------------------------------------------------------

function menu(state, act, links) {
  const { table } = state.view;
  const can = (what) => table.can.includes(what);
  return dialog("menu", links.title, html`
    <p class="panel-note">${rules.words[0]} · ${clockTerms(table)} · ${say(`kind_${table.kind}`)}</p>
    ${standingList(state.view)}
    <div class="menu">
      ${can("pause") ? order(state, act, "pause") : nothing}
      ${can("referee") ? question(act, "call", say("call_referee")) : nothing}
      ${links.organizer && table.status === "playing" ? question(act, "ruling", say("rule")) : nothing}
      ${can("leave") && table.status === "playing" ? question(act, "leaving", say("leave")) : nothing}
      <button class="button" type="button" @click=${act.languages}>${say("language")}</button>
    </div>
    <p class="panel-note keys">${say("keys_help")}</p>
    ${dismiss(say("close"))}`);
}

function clockTerms({ move_seconds: move, bank_seconds: bank }) {
  if (move === null) return say("no_clock");
  return say(bank ? "clock_bank" : "clock_move", { n: move, bank });
}

function order(state, act, what) {
  return html`<button class="button" type="button" data-do=${what} ?disabled=${busy(state)}
    @click=${() => act.confirm({ do: what })}>${say(what)}</button>`;
}

function question(act, id, text) {
  return html`<button class="button" type="button" data-open=${id} aria-haspopup="dialog" @click=${() => act.open(id)}>${text}</button>`;
}

// --- leave, call ----------------------------------------------------------------------------

/** The price stands in the question, and the answer carries it: no other one is ever paid. */
function leaving(state, act) {
  const { price, can } = state.view.table;
  return dialog("leaving", say("leave_title"), html`
    <p>${price ? say("leave_price", { n: price }) : say("leave_free")}</p>
    <p>${say("leave_once")}</p>
    <div class="menu">
      <button class="button button-bad" type="button" data-do="leave" ?disabled=${busy(state) || !can.includes("leave")}
        @click=${() => act.confirm({ do: "leave", price })}>${price ? say("leave_for", { n: price }) : say("leave")}</button>
      ${dismiss(say("stay"))}
    </div>`);
}

function calling(state, act) {
  return dialog("call", say("call_title"), html`
    <p>${say("call_help")}</p>
    <div class="menu">
      <button class="button button-main" type="button" data-do="referee" ?disabled=${busy(state) || !state.view.table.can.includes("referee")}
        @click=${() => act.confirm({ do: "referee" })}>${say("call_referee")}</button>
      ${dismiss(say("cancel"))}
    </div>`);
}

// --- rulings --------------------------------------------------------------------------------

function ruling(state, { ruling: chosen }, act, links) {
  if (!links.organizer || !state.view.match) return nothing;
  return dialog("ruling", say("rule"), html`
    <form class="form" @submit=${act.rule} @change=${(event) => event.target.name === "ruling" && act.choosing(event.target.value)}>
      <fieldset class="choices"><legend>${say("rule_how")}</legend>
        ${["continue", "undo", "end"].map((each) => choice(each, chosen))}
      </fieldset>
      ${chosen === "end" ? places(state.view) : nothing}
      <div class="field">
        <label for="reason">${say("rule_reason")}</label>
        <input id="reason" name="reason" required maxlength="200" autocomplete="off">
      </div>
      <button class="button button-main" type="submit" data-do="rule" ?disabled=${busy(state)}>${say("rule_send")}</button>
    </form>
    ${dismiss(say("cancel"))}`);
}

function choice(value, chosen) {
  return html`
    <p class="field-check"><input type="radio" id=${`ruling-${value}`} name="ruling" value=${value} ?checked=${value === chosen}>
      <label for=${`ruling-${value}`}>${say(`ruling_${value}`)}</label></p>`;
}

function places(view) {
  const sides = sidesOf(view.match);
  return html`
    <fieldset class="choices"><legend>${say("rule_places")}</legend>
      ${sides.map((seats, side) => html`
        <p class="place-of"><label for=${`place-${side}`}>${seats.map((seat) => nameOf(view, seat)).join(" · ")}</label>
          <select id=${`place-${side}`} name="place" required>
            <option value="">–</option>
            ${sides.map((_, place) => html`<option value=${place + 1}>${place + 1}.</option>`)}
          </select></p>`)}
    </fieldset>`;
}

/** The command of a filled form. Equal places share the best of them; partners share a side's. */
export function rulingOf(view, form) {
  const data = new FormData(form);
  const order = { do: "referee", ruling: data.get("ruling"), reason: data.get("reason") };
  if (order.ruling !== "end") return order;
  const sides = data.getAll("place").map(Number);
  const seats = view.table.seats.map(({ seat }) => sides[view.match.partners ? seat % 2 : seat]);
  return { ...order, places: seats.map((own) => 1 + seats.filter((other) => other < own).length) };
}

/** Whether the clock moved for the reader lately, and how often in a row. */
export function clockMoved(view) {
  const seat = own(view);
  return seat && !seat.dropped && !standsStill(view.table) ? seat.auto_moves : 0;
}
