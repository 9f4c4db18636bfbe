// Who sits where around the reader's table. Knows seats and their order of play, no page.

const PLACES = { 2: ["top"], 3: ["left", "right"], 4: ["left", "top", "right"] };

/** The other seats from left to right: [[place, seat], …]. Who plays after the reader's seat sits on
 *  the right, or on the left where play goes clockwise, as one looks at the table from above. */
export function placesAround(own, seats, clockwise = false) {
  const step = clockwise ? (index) => index + 1 : (index) => seats - 1 - index;
  return PLACES[seats].map((place, index) => [place, (own + step(index)) % seats]);
}
