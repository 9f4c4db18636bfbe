// What a screen reader is told, in whole sentences: one message a change.

import { textOf } from "./chat.js";
import { isMyTurn, nameOf } from "./people.js";
import { handReasons, handTitle, openingReason, redealReason } from "./reasons.js";
import { forcedOpening } from "./rules.js";
import { say, signed, tileCount, tileName } from "./words.js";

/** The sentence for a change, or "" when there is nothing to say. `before` is the view until then:
 *  who has just left is named by it. */
export function announce({ view, link }, what, before) {
  if (link === "lost") return say("lost");
  if (link === "logged-out") return say("logged_out");
  if (link === "banned") return say("banned");
  if (!what || !view) return "";
  if (what.kind === "refused") return what.text ?? "";
  if (what.kind === "said") return `${what.player?.name ?? ""}: ${textOf(what)}`;
  const told = what.kind === "event" ? happened(view, what, before ?? view) : [];
  return [...told, turn(view)].filter(Boolean).join(" ");
}

function happened(view, what, before) {
  const moved = (what.events ?? []).map((event) => sentence(view, event));
  return [...around(view, what, before), ...moved];
}

/** What happened around the line: who sat down, left, dropped, came back; what the referee said. */
function around(view, what, before) {
  const told = TOLD.filter((key) => Number.isInteger(what[key]));
  const seats = told.map((key) => say(`say_${key}`, { name: nameOf(key === "left" ? before : view, what[key]) }));
  const clock = what.auto && what.do in MOVES && !view.table.seats[what.seat]?.bot;
  const first = clock ? [say("say_clock", { name: nameOf(view, what.seat) })] : [];
  return [...first, ...seats, pressed(view, what, before)];
}

const TOLD = ["left", "dropped", "came_back", "took_over"];
const MOVES = { play: true, draw: true, pass: true };

/** What somebody pressed, or what came by itself because nobody did. */
function pressed(view, { do: what, seat, ruling, reason }, before) {
  if (what === "referee") return ruling ? say("say_ruling", { ruling: say(`ruling_${ruling}`), reason }) : say("still_referee");
  if (what === "abandon") return say("abandoned_title");
  if (what === "pause") return say("still_manager");
  if (what === "continue") return say("say_continue");
  if (before.table.status !== "waiting" || !Number.isInteger(seat)) return "";
  if (what === "sit") return say("say_sat", { name: nameOf(view, seat) });
  return what === "leave" ? say("say_got_up", { name: nameOf(before, seat) }) : "";
}

function turn(view) {
  if (!isMyTurn(view)) return "";
  const forced = forcedOpening(view.match);
  return forced ? `${say("say_your_turn")} ${openingReason(view.match, forced)}` : say("say_your_turn");
}

function sentence(view, event) {
  const name = "seat" in event && event.seat !== null ? nameOf(view, event.seat) : "";
  const say_of = SENTENCES[event.kind];
  return say_of ? say_of(name, event, view) : "";
}

const SENTENCES = {
  hand_dealt: (name, { redeals }) => [say("say_dealt"), redealReason(redeals.map(({ reason }) => reason))].filter(Boolean).join(" "),
  tile_played: (name, { tile, scored }) => {
    const told = say("say_played", { name, tile: tileName(tile) });
    return scored ? `${told} ${signed(scored)}.` : told;
  },
  // the own tiles by name, of others only how many
  tiles_drawn: (name, { tiles }) =>
    say("say_drew", { name, tiles: tileCount(tiles.length ?? tiles) }),
  passed: (name) => say("say_passed", { name }),
  hand_ended: (name, event, view) => [`${handTitle(view, event)}.`, ...handReasons(view)].join(" "),
  match_ended: () => `${say("match_over")}.`,
};
