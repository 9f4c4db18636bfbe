// What people say at the table: text is text. Who is muted stays on this device.

import { html, nothing } from "../vendor/lit-html.js";
import { closer } from "./parts.js";
import { say, words } from "./words.js";

const KEY = "ayaz-muted";
const PHRASES = Object.keys(words).filter((key) => key.startsWith("phrase_"));

/** The ids of the players this device does not listen to. */
export function readMuted() {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEY) ?? "[]"));
  } catch {
    return new Set(); // storage is off: muting lasts as long as the page
  }
}

export function keepMuted(muted) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...muted]));
  } catch {
    // see above
  }
}

/** What a message says in the reader's language; an unknown phrase is shown by its key. */
export function textOf({ text, phrase }) {
  if (text !== undefined) return text;
  return words[`phrase_${phrase}`] ?? phrase;
}

export function heard(said, muted) {
  return said.filter(({ player }) => !muted.has(player?.id));
}

export function chatPanel(state, screen, act, links) {
  const { table } = state.view;
  const mayWrite = table.you !== null || Boolean(links.organizer);
  return html`
    <section class="chat" aria-labelledby="chat-title">
      ${closer({ fold: act.chat })}
      <h2 id="chat-title">${say("chat")}</h2>
      <ol class="said" tabindex="0" aria-label=${say("chat")}>${heard(state.said, screen.muted).map(message)}</ol>
      ${state.said.length ? nothing : html`<p class="panel-note">${say("chat_nothing")}</p>`}
      ${mutes(state, screen, act)}
      ${mayWrite ? writing(state, act) : html`<p class="panel-note">${say("chat_readers")}</p>`}
    </section>`;
}

function message(one) {
  return html`<li><strong>${one.player?.name ?? ""}</strong> ${textOf(one)}</li>`;
}

function mutes({ said, view }, { muted }, act) {
  const people = new Map();
  for (const { player } of [...said, ...view.table.seats]) if (player) people.set(player.id, player.name);
  if (view.table.you !== null) people.delete(view.table.seats[view.table.you].player?.id);
  if (people.size === 0) return nothing;
  return html`
    <details class="mutes"><summary>${say("mute_people")}</summary>
      <ul>${[...people].map(([id, name]) => html`<li><button class="button" type="button" aria-pressed=${muted.has(id)}
        @click=${() => act.mute(id)}>${say(muted.has(id) ? "unmute" : "mute", { name })}</button></li>`)}</ul>
    </details>`;
}

function writing({ link }, act) {
  return html`
    <div class="phrases" role="group" aria-label=${say("phrases")}>${PHRASES.map((key) => html`
      <button class="button" type="button" ?disabled=${link !== "open"}
        @click=${() => act.say({ phrase: key.slice("phrase_".length) })}>${words[key]}</button>`)}</div>
    <form class="writing" @submit=${act.write}>
      <label class="visually-hidden" for="saying">${say("chat_text")}</label>
      <input id="saying" name="text" maxlength="200" autocomplete="off" placeholder=${say("chat_text")}>
      <button class="button button-main" type="submit" ?disabled=${link !== "open"}>${say("chat_send")}</button>
    </form>`;
}
