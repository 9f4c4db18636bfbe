// Holds a match's record against what follows from its secret: the commitment, every deal, every
// deal that was refused, every lot. Knows no page; says of each whether it holds.

import { Shuffle, commitmentOf } from "./shuffle.js";

const HEX = /^[0-9a-f]{64}$/;
const CONTRIBUTION = /^[0-9a-fA-F]{0,64}$/;

/** Check a `domino-match/1` record; `rules` names which rule gave each starter (rules.js).
 *
 *  → a list in the record's order, hands and attempts from 0:
 *  [{what: "commitment" | "redeal" | "deal" | "lot", hand, attempt, holds, found, computed}] */
export async function verifyShuffle(record, rules) {
  const { proof, seats } = record;
  if (!isProof(proof, seats)) return [line("commitment", { holds: false, found: "", computed: "" })];
  const shuffle = new Shuffle(proof.secret, proof.contributions);
  const lines = [await checkCommitment(proof)];
  for (const [number, hand] of record.hands.entries()) {
    lines.push(...(await checkDeals(shuffle, hand, number, record)));
    if (isByLot(record.hands, number, rules)) lines.push(await checkLot(shuffle, hand, number, seats));
  }
  return lines;
}

function line(what, facts) {
  return { what, hand: null, attempt: null, ...facts };
}

function isProof(proof, seats) {
  return (
    HEX.test(proof?.secret) &&
    Array.isArray(proof.contributions) &&
    proof.contributions.length === seats &&
    proof.contributions.every((text) => typeof text === "string" && CONTRIBUTION.test(text))
  );
}

async function checkCommitment({ secret, commitment }) {
  const computed = await commitmentOf(secret);
  return line("commitment", { holds: computed === commitment, found: commitment, computed });
}

/** The refused deals and the one that was played are the attempts of a hand, in order. */
async function checkDeals(shuffle, { redeals = [], ...played }, hand, { seats, ruleset }) {
  const lines = [];
  for (const [attempt, deal] of [...redeals, played].entries()) {
    const found = written([...deal.racks.flat(), ...deal.stock]);
    const computed = written(await shuffle.order(hand, attempt));
    const holds = computed === found && isDealtOut(deal.racks, seats, ruleset.deal);
    lines.push(line(attempt < redeals.length ? "redeal" : "deal", { hand, attempt, holds, found, computed }));
  }
  return lines;
}

/** Each rack begins with its number of tiles: none has slipped to a neighbour or into the stock. */
function isDealtOut(racks, seats, deal) {
  return racks.length === seats && racks.every(({ length }) => length === deal);
}

function written(tiles) {
  return tiles.join(" ");
}

async function checkLot(shuffle, { starter }, hand, seats) {
  const computed = await shuffle.starter(hand, seats);
  return line("lot", { hand, attempt: 0, holds: computed === starter, found: starter, computed });
}

/** Whether a lot named the starter: by the rule for a first hand, after a lock, or any other. */
export function isByLot(hands, number, rules) {
  const before = hands[number - 1]?.outcome;
  if (!before) return rules.first_starter === "lot";
  return (before.kind === "lock" ? rules.starter_after_lock : rules.next_starter) === "lot";
}
