// Why things are as they are, in sentences: what a hand scored, what opens it, why it was dealt anew.

import { nameOf } from "./people.js";
import { pipsOf, rules, sideOf, sidesOf, starterRule } from "./rules.js";
import { say, tileName } from "./words.js";

/** "Ayşe", with partners "Ayşe and Işıl". */
export function sideName(view, side) {
  const [first, second] = sidesOf(view.match)[side].map((seat) => nameOf(view, seat));
  return second === undefined ? first : say("both", { first, second });
}

/** "Ayşe went out", "The hand is locked". */
export function handTitle(view, ended) {
  return ended.kind === "out" ? say("hand_out", { name: nameOf(view, ended.seat) }) : say("hand_locked");
}

/** Why the hand that ended last scored what it did, and where that went: sentences in order. */
export function handReasons(view) {
  const [before, ended] = lastTwo(view.match);
  if (rules.hand_scoring === "pip_loss") {
    return [lossReason(view, ended), rules.fives ? say("fives_too") : ""].filter(Boolean);
  }
  if (ended.winner === null) return [tieReason(ended, before)];
  return [...winReasons(view, ended), bankReason(before), ...accountReasons(view, ended, before)].filter(Boolean);
}

/** The latest ended hand and the accounts before it. */
export function lastTwo({ ended, partners, seats }) {
  const sides = sidesOf({ partners, seats });
  const start = { bank: 0, drafts: sides.map(() => 0), open: sides.map(() => false) };
  return [ended.at(-2) ?? start, ended.at(-1)];
}

/** What the latest hand gave a side, be it draft or main balance; drafts that only moved are none. */
export function handGain({ match }, side) {
  const [before, ended] = lastTwo(match);
  if (ended.drafts === null) return ended.scores[side];
  const moved = ended.open[side] && rules.drafts_on_opening === "drop" ? 0 : ended.drafts[side] - before.drafts[side];
  return ended.scores[side] + moved;
}

function lossReason(view, ended) {
  if (ended.kind === "out") return say("others_lose");
  if (rules.locker_pays === false) return say("all_but_one_lose", { name: nameOf(view, ended.seat) });
  return say("all_lose");
}

function tieReason(ended, before) {
  const seka = ended.kind === "lock" && rules.lock_tie === "seka";
  return seka ? say("seka", { n: ended.bank - before.bank, bank: ended.bank }) : say("tie");
}

function winReasons(view, ended) {
  const own = pipsOfSide(view, ended, ended.winner);
  const others = sidesOf(view.match).reduce((sum, _, side) => sum + pipsOfSide(view, ended, side), 0) - own;
  const byLeast = ended.kind === "lock" || sideOf(view.match, ended.seat) !== ended.winner;
  const why = byLeast ? say("least_wins", { side: sideName(view, ended.winner), n: own }) : null;
  return [why, say(`worth_${rules.hand_scoring}`, { others, own })];
}

function pipsOfSide(view, ended, side) {
  return sidesOf(view.match)[side].reduce((sum, seat) => sum + pipsOf(ended.racks?.[seat] ?? []), 0);
}

function bankReason({ bank }) {
  return bank > 0 ? say("bank_won", { n: bank }) : null;
}

function accountReasons(view, { winner, open }, before) {
  if (open === null) return [];
  if (!open[winner]) return [say("drafted", { n: rules.opening_minimum })];
  if (before.open[winner]) return [say("on_main")];
  const drafts = before.drafts[winner];
  return [say("opened", { n: rules.opening_minimum }), drafts > 0 ? say(`drafts_${rules.drafts_on_opening}`, { n: drafts }) : null];
}

/** Why the reader must open with this tile. */
export function openingReason(match, tile) {
  const [high, low] = tile.split("-");
  return say(high === low ? `opens_${starterRule(match)}` : "opens_heaviest", { tile: tileName(tile) });
}

/** That a hand was dealt again, and why (the reasons of the refused deals); "" if it was not. */
export function redealReason(redeals) {
  if (redeals.length === 0) return "";
  const reasons = [...new Set(redeals.map((reason) => say(`redeal_${reason}`)))].join(", ");
  return say(redeals.length === 1 ? "redealt" : "redealt_often", { n: redeals.length, reasons });
}
