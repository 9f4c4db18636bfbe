// What a screen reader is told, in whole sentences: one message a change.

import { handReasons, handTitle, openingReason, redealReason } from "./reasons.js";
import { forcedOpening } from "./rules.js";
import { say, signed, tileCount, tileName } from "./words.js";

/** The sentence for a change, or "" when there is nothing to say. */
export function announce({ view, link }, what) {
  if (link === "lost") return say("lost");
  if (link === "logged-out") return say("logged_out");
  if (!what || !view) return "";
  if (what.kind === "refused") return what.text ?? "";
  const told = what.kind === "event" ? (what.events ?? []).map((event) => sentence(view, event)) : [];
  return [...told, turn(view)].filter(Boolean).join(" ");
}

function turn({ table, match }) {
  if (!match || table.you === null || match.turn !== table.you) return "";
  const forced = forcedOpening(match);
  return forced ? `${say("say_your_turn")} ${openingReason(match, forced)}` : say("say_your_turn");
}

function sentence(view, event) {
  const name = "seat" in event && event.seat !== null ? view.table.seats[event.seat].player.name : "";
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
