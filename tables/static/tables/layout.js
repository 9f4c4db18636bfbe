// Where each tile of the line lies. Pure geometry: knows no rules and no page.
//
// Unit: one half of a tile, so a tile is 2 × 1. The first tile lies in the middle, its centre at
// (0, 0). The right arm runs to the right edge, turns down and snakes back; the left arm is its
// mirror image and snakes upwards. Rows lie 2 apart, so a gap of 1 always stays between them.

const GAP = 0.5; // room kept around the line
const LARGE = 44; // CSS pixels of a half that nobody needs larger

/** Return the placed tiles, where the next tile of each end would lie, and the frame to show.
 *
 *  halves: [[left, right], …] from left to right; first: index of the first tile;
 *  width, height: the room on the screen in CSS pixels.
 *  → {tiles: [{x, y, turn, a, b}], slots: {L, R}, box: {x, y, width, height}}
 *  (x, y): centre; turn: degrees from a tile that shows a on the left and b on the right. */
export function layLine(halves, first, width, height) {
  const edge = edgeFor(width, height);
  if (halves.length === 0) return { tiles: [], slots: {}, box: frame([], edge, width, height) };
  const right = arm(halves.length - first, edge);
  const left = arm(first + 1, edge).map(mirrored);
  const tiles = halves.map(([a, b], index) => {
    const place = index >= first ? right[index - first] : left[first - index];
    return { ...place, a, b };
  });
  const slots = { L: left[first + 1], R: right[halves.length - first] };
  return { tiles, slots, box: frame([...tiles, slots.L, slots.R], edge, width, height) };
}

/** Half the width of a row, so that a whole set of 28 tiles shows as large as the room allows; where
 *  that is more than LARGE, the rows are long instead. */
function edgeFor(width, height) {
  let best = { edge: 5, scale: 0 };
  for (let edge = 5; edge <= 16; edge += 1) {
    const rows = Math.ceil(28 / (edge + 0.5));
    const scale = Math.min(width / (2 * edge + 2 * GAP), height / (2 * rows - 1 + 2 * GAP), LARGE);
    if (scale >= best.scale) best = { edge, scale };
  }
  return best.edge;
}

/** The first tile, `count - 1` more of the right arm, and the slot of the next one. */
function arm(count, edge) {
  const places = [{ x: 0, y: 0, turn: 0 }];
  const pen = { x: 1, y: 0, way: 1 }; // where the next tile begins, the row's middle, its direction
  while (places.length <= count) places.push(step(pen, edge));
  return places;
}

/** Place one tile at the pen and move the pen behind it. */
function step(pen, edge) {
  const { x, y, way } = pen;
  if (way * x + 2 <= edge) {
    pen.x += 2 * way;
    return { x: x + way, y, turn: way > 0 ? 0 : 180 };
  }
  pen.x -= way; // turn under the half that was laid last, and go back from there
  pen.y += 2;
  pen.way = -way;
  return { x: x - way / 2, y: y + 1.5, turn: 90 };
}

/** The same place on the other arm: turned by 180° around the first tile's centre. The tile keeps
 *  its direction, because the left arm is read towards the first tile. */
function mirrored({ x, y, turn }) {
  return { x: -x, y: -y, turn };
}

/** The part of the plane to show: fixed around the first tile while the line fits in it. */
function frame(places, edge, width, height) {
  const reach = places.map(extent);
  const top = Math.min(-1, ...reach.map(({ y, up }) => y - up)) - GAP;
  const bottom = Math.max(1, ...reach.map(({ y, up }) => y + up)) + GAP;
  const wide = 2 * edge + 2 * GAP;
  const tall = Math.max((wide * height) / width, bottom - top);
  const middle = clamp(0, bottom - tall / 2, top + tall / 2);
  return { x: -wide / 2, y: middle - tall / 2, width: wide, height: tall };
}

function extent({ y, turn }) {
  return { y, up: turn % 180 === 0 ? 0.5 : 1 };
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}
