// Who sits where around the reader's table. Knows seats and their order of play, no page.

/** The way the turn goes round the table, as one looks at it from above (the rules: data of the
 *  picture, counter-clockwise unless a table says otherwise; no table does so far). */
export const DIRECTION = "counter-clockwise";

const PLACES = { 2: ["top"], 3: ["left", "right"], 4: ["left", "top", "right"] };

/** The other seats from left to right: [[place, seat], …]. Counter-clockwise who plays after the
 *  reader's seat sits on the right, clockwise on the left. */
export function placesAround(own, seats, direction = DIRECTION) {
  const step = direction === "clockwise" ? (index) => index + 1 : (index) => seats - 1 - index;
  return PLACES[seats].map((place, index) => [place, (own + step(index)) % seats]);
}
