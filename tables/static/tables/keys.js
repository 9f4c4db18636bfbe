// The table by keyboard: the rack's own arrows and Enter are the tiles'; these keys work anywhere.

import { scoresSpoken } from "./standing.js";
import { say } from "./words.js";

/** Do what a key asks for. Keys with a modifier, and keys in a field, are not ours. */
export function keyPressed(event, table) {
  if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
  const { view } = table.state;
  if (!view) return;
  if (event.key === "Escape") return escape(table);
  KEYS[event.key.toLowerCase()]?.(table, view);
}

function isField({ tagName }) {
  return tagName === "INPUT" || tagName === "SELECT" || tagName === "TEXTAREA";
}

/** Close what was opened last: the question for an end, the chat, the panel. */
function escape({ screen, act, root }) {
  if (screen.choosing) act.cancel();
  else if (screen.chat) act.chat();
  else if (root.querySelector("[data-do=close]")) act.fold();
}

const KEYS = {
  l: ({ act }) => act.choose("L"),
  r: ({ act }) => act.choose("R"),
  d: (table, view) => move(table, view, "draw"),
  p: (table, view) => move(table, view, "pass"),
  e: ({ speak }, view) => speak(ends(view)),
  s: ({ speak }, view) => speak(scoresSpoken(view)),
};

function move({ state, act }, { table }, what) {
  if (table.can.includes(what) && !state.pending) act.send({ do: what });
}

function ends({ match }) {
  if (!match?.ends) return say("line_empty");
  const sum = match.sum === null ? "" : ` ${say("sum", { n: match.sum })}`;
  return `${say("say_ends", { left: match.ends.L, right: match.ends.R })}${sum}`;
}
