// Small parts that several pictures share.

import { html, nothing } from "../vendor/lit-html.js";
import { say } from "./words.js";

/** A button that sends one command; it rests while another is under way or no line stands. */
export function act(state, handlers, order, text, look = "button-main") {
  return html`<button class=${`button ${look}`} type="button" data-do=${order.do} data-seat-of=${order.seat ?? ""}
    ?disabled=${state.pending !== null || state.link !== "open"}
    @click=${() => handlers.send(order)}>${text}</button>`;
}

/** What the felt shows may be looked at: the panel goes, and comes back by a button. */
export function closer(handlers) {
  return html`
    <button class="button button-icon panel-close" type="button" data-do="close" aria-label=${say("close")} @click=${handlers.fold}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"></path></svg>
    </button>`;
}

/** The way to the link and the QR code, where a table has them. */
export function invitation({ invite }) {
  return invite ? html`<a class="button" href=${invite}>${say("invite")}</a>` : nothing;
}

/** A line icon of 24 × 24. */
export function icon(path) {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path}></path></svg>`;
}
