// Who holds which seat, what it is called, and who may press for the table. No pictures here.

import { say } from "./words.js";

const SILENT = 60_000; // a manager who has not pressed for so long lets the part pass on

/** A seat's name: its player's, a robot's, or its number while nobody holds it. */
export function nameOf(view, seat) {
  const { player, bot } = view.table.seats[seat];
  if (player) return player.name;
  if (!bot) return say("seat_number", { n: seat + 1 });
  return robotName(view.table.seats.filter((each) => each.bot).map((each) => each.seat), seat);
}

/** What the robot of a seat is called; of several each has its number. */
export function robotName(robots, seat) {
  return robots.length > 1 ? `${say("robot")} ${robots.indexOf(seat) + 1}` : say("robot");
}

/** A match under way in which nobody may move now. */
export function standsStill({ status, pause, empty, press_due }) {
  return status === "playing" && Boolean(pause || empty || press_due);
}

/** A match in which somebody may move now. */
export function isPlayed(table) {
  return table.status === "playing" && !standsStill(table);
}

export function isMyTurn({ table, match }) {
  return match !== null && table.you !== null && match.turn === table.you && isPlayed(table);
}

/** The reader's seat as the view tells of it, or null. */
export function own({ table }) {
  return table.you === null ? null : table.seats[table.you];
}

/** The reader dropped and may come back. */
export function mayComeBack(view) {
  return Boolean(own(view)?.dropped) && view.table.can.includes("sit");
}

export function isOver({ status }) {
  return status === "finished" || status === "abandoned";
}

/** No socket of the seat's player lives; nobody asks that of a robot or of an empty seat. */
export function isAway({ presence, view }, seat) {
  const { player, empty } = view.table.seats[seat];
  return player !== null && !empty && presence.length > 0 && !presence[seat] && !isOver(view.table);
}

/** May the reader press *Start* or *Continue*? The view knows the manager; organizers always may, and
 *  one stands in for a manager who is gone or silent while a press is due. */
export function mayPress(state, what, screen, links) {
  const { table } = state.view;
  if (table.can.includes(what)) return true;
  if (!isDue(table, what)) return false;
  return Boolean(links.organizer) || standsIn(state, screen);
}

function isDue(table, what) {
  if (what === "start") return table.status === "waiting" && table.seats.every(({ sat, empty }) => sat && !empty);
  return standsStill(table) && !table.empty;
}

function standsIn(state, { dueSince }) {
  const { table } = state.view;
  if (table.you === null || !table.press_due || dueSince === null) return false;
  const there = table.seats.filter(({ seat, player }) => player && seat !== table.manager && !isAway(state, seat));
  if (there[0]?.seat !== table.you) return false;
  return table.manager === null || isAway(state, table.manager) || Date.now() - dueSince >= SILENT;
}

/** Somebody else sits in the reader's seat now, or nobody does: the sentence for it, or "". */
export function seatLost(before, view, what) {
  if (!before || before.table.you === null || view.table.you !== null || view.table.status === "waiting") return "";
  return what.do === "leave" ? say("you_left") : say("you_were_replaced");
}
