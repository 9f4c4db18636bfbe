// A hand of a match record, moment by moment. Knows no page: from the record alone it says where
// every tile is and how the score stands after the deal and after each move.

import { halvesOf } from "./tiles.js";

/** The moments of a hand (from 0): the first is the deal, then one a move.
 *
 *  → [{racks, stock, line, first, move, totals, drafts, open, bank, over}]
 *  `line`: halves from left to right; `first`: index of the first tile; `move`: the record's, or
 *  null; `drafts` and `open` are null where every account is always open. */
export function momentsOf(record, number) {
  const hand = record.hands[number];
  const moments = [dealt(record, number)];
  for (const move of hand.moves) moments.push(after(moments.at(-1), move, record));
  if (hand.outcome) moments.push({ ...moments.pop(), ...accounts(hand.outcome), over: true });
  return moments;
}

function dealt(record, number) {
  const { racks, stock } = record.hands[number];
  const before = record.hands[number - 1]?.outcome;
  return {
    racks, stock, line: [], first: null, move: null, over: false,
    ...(before ? accounts(before) : atTheStart(record)),
  };
}

function accounts({ totals, drafts = null, open = null, bank = 0 }) {
  return { totals, drafts, open, bank };
}

function atTheStart(record) {
  const sides = Array.from({ length: record.partners ? 2 : record.seats }, () => 0);
  const closed = record.hands.some(({ outcome }) => outcome?.open);
  return accounts({
    totals: sides,
    ...(closed ? { drafts: sides, open: sides.map(() => false) } : {}),
  });
}

function after(moment, move, record) {
  if (move.pass) return { ...moment, move };
  if (move.draw) return { ...moment, move, ...drawn(moment, move) };
  const racks = changed(moment.racks, move.seat, (rack) => rack.filter((tile) => tile !== move.play));
  return { ...moment, move, racks, ...laid(moment, move), totals: scored(moment.totals, move, record) };
}

function drawn({ racks, stock }, { seat, draw }) {
  return { racks: changed(racks, seat, (rack) => [...rack, ...draw]), stock: stock.slice(draw.length) };
}

function changed(racks, seat, how) {
  return racks.map((rack, owner) => (owner === seat ? how(rack) : rack));
}

function laid({ line, first }, { play, end }) {
  const [high, low] = halvesOf(play);
  if (line.length === 0) return { line: [[high, low]], first: 0 };
  if (end === "L") {
    const near = line[0][0];
    return { line: [[near === low ? high : low, near], ...line], first: first + 1 };
  }
  const near = line.at(-1)[1];
  return { line: [...line, [near, near === low ? high : low]], first };
}

function scored(totals, { seat, scored: points = 0 }, { partners }) {
  const side = partners ? seat % 2 : seat;
  return totals.map((total, owner) => (owner === side ? total + points : total));
}

/** Who sat in each seat in a hand (from 0), of several the last; null where nobody is named. */
export function stintsOf({ players, seats }, hand) {
  return Array.from({ length: seats }, (_, seat) =>
    players?.[seat].findLast(({ from_hand: from }) => from <= hand) ?? null,
  );
}

/** A view of a hand's end as the board has it, for the sentences about what it scored and why. */
export function viewOfEnd(record, number, seats) {
  const ended = record.hands.slice(0, number + 1).map(({ outcome }) => ({ drafts: null, open: null, bank: 0, ...outcome }));
  ended.at(-1).racks = momentsOf(record, number).at(-1).racks;
  return { table: { seats }, match: { ended, partners: record.partners, seats: record.seats } };
}
