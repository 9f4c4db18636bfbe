// A tile as SVG, drawn in code: two halves of 1 × 1 with pips, the centre at (0, 0).

import { nothing, svg } from "../vendor/lit-html.js";

const NEAR = -0.27;
const FAR = 0.27;
const CORNERS = [[NEAR, NEAR], [FAR, FAR]];
const OTHER_CORNERS = [[NEAR, FAR], [FAR, NEAR]];
const SIDES = [[0, NEAR], [0, FAR]];
const PIPS = [
  [],
  [[0, 0]],
  CORNERS,
  [...CORNERS, [0, 0]],
  [...CORNERS, ...OTHER_CORNERS],
  [...CORNERS, ...OTHER_CORNERS, [0, 0]],
  [...CORNERS, ...OTHER_CORNERS, ...SIDES],
];

/** The tile lying: `a` on the left, `b` on the right. */
export function tileShape(a, b) {
  return svg`
    <rect class="tile-face" x="-0.96" y="-0.46" width="1.92" height="0.92" rx="0.15"></rect>
    <line class=${a === b ? "tile-bar tile-bar-double" : "tile-bar"}
      x1="0" y1="-0.34" x2="0" y2="0.34"></line>
    ${a === b ? svg`<circle class="tile-pin" r="0.075"></circle>` : nothing}
    ${pips(a, -0.48)}${pips(b, 0.48)}`;
}

function pips(number, centre) {
  return PIPS[number].map(
    ([x, y]) => svg`<circle class="tile-pip" cx=${centre + x * 0.92} cy=${y * 0.92} r="0.092"></circle>`,
  );
}

/** "6-4" → [6, 4] */
export function halvesOf(name) {
  return name.split("-").map(Number);
}
