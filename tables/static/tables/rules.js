// The rule set of the match, as far as words and pictures hang on it. It never changes, so it stands
// in the page and not in every view.

export const rules = JSON.parse(document.getElementById("rules").textContent);

/** The pips of tiles left in a rack, as the rule set counts them. */
export function pipsOf(tiles) {
  return tiles.reduce((sum, tile) => sum + (tile === "0-0" ? rules.blank_pips : pips(tile)), 0);
}

function pips(tile) {
  const [high, low] = tile.split("-").map(Number);
  return high + low;
}

/** The seats of each side: [[0, 2], [1, 3]] with partners, else [[0], [1], …]. */
export function sidesOf({ partners, seats }) {
  if (partners) return [[0, 2], [1, 3]];
  return Array.from({ length: seats }, (_, seat) => [seat]);
}

export function sideOf({ partners }, seat) {
  return partners ? seat % 2 : seat;
}

/** How many hands are finished; the view's `hand` counts from 0 and stays at the last one's end. */
export function finishedHands({ phase, hand }) {
  return phase === "over" ? hand + 1 : hand;
}

/** The tile with which the reader must open this hand, or null. */
export function forcedOpening({ line, legal, rack }) {
  if (line.length > 0 || legal.length !== 1 || (rack ?? []).length < 2) return null;
  return legal[0].play ?? null;
}

/** The rule that named this hand's starter. */
export function starterRule({ ended }) {
  const last = ended.at(-1);
  if (!last) return rules.first_starter;
  return last.kind === "lock" ? rules.starter_after_lock : rules.next_starter;
}
