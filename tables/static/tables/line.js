// The line's picture, and the places at its ends where a tile may go.

import { html, nothing, svg } from "../vendor/lit-html.js";
import { layLine } from "./layout.js";
import { tileShape } from "./tiles.js";
import { say, tileCount } from "./words.js";

/** The line. While an end is asked for, or a tile is dragged, both ends are shown; those where it
 *  does not fit are shut. */
export function line(match, screen, act) {
  const { tiles, slots, box } = layLine(match.line, match.first ?? 0, screen.room.width, screen.room.height);
  const lastIndex = newest(match);
  const open = screen.choosing ? ["L", "R"] : screen.drag;
  return html`
    <svg class="line" role="img" aria-label=${lineLabel(match)}
      viewBox=${[box.x, box.y, box.width, box.height].map((n) => n.toFixed(2)).join(" ")}>
      ${tiles.map((tile, index) => svg`
        <g class=${index === lastIndex ? "tile tile-new" : "tile"}
          transform=${`translate(${tile.x} ${tile.y}) rotate(${tile.turn})`}>${tileShape(tile.a, tile.b)}</g>`)}
      ${open && match.line.length ? ["L", "R"].map((end) => slot(slots[end], end, open.includes(end), match, act)) : nothing}
    </svg>`;
}

/** The index of the tile that was placed last, or -1. */
function newest({ last, line: halves }) {
  if (!last?.play) return -1;
  return last.end === "L" ? 0 : halves.length - 1;
}

function lineLabel({ line: halves, ends }) {
  if (!ends) return say("line_empty");
  return say("line_label", { tiles: tileCount(halves.length), left: ends.L, right: ends.R });
}

function slot(place, end, open, match, act) {
  const upright = place.turn % 180 !== 0;
  return svg`
    <g class=${`slot slot-${end} ${open ? "" : "slot-shut"}`} data-slot=${open ? end : ""}
      transform=${`translate(${place.x} ${place.y})`} @click=${() => act.choose(end)}>
      <rect x=${upright ? -0.46 : -0.96} y=${upright ? -0.96 : -0.46}
        width=${upright ? 0.92 : 1.92} height=${upright ? 1.92 : 0.92} rx="0.15"></rect>
      <path d=${arrow(end)} transform=${upright ? "translate(0 -0.4)" : `translate(${end === "L" ? -0.5 : 0.5} 0)`}></path>
      <text y=${upright ? 0.45 : 0.19} text-anchor="middle">${match.ends[end]}</text>
    </g>`;
}

/** The mark of an end, on the line and on its button alike: both ends may show the same number. */
function arrow(end) {
  return end === "L" ? "M0.18 -0.24L-0.22 0L0.18 0.24Z" : "M-0.18 -0.24L0.22 0L-0.18 0.24Z";
}

export function endMark(end) {
  return html`<svg class=${`end-mark end-mark-${end}`} viewBox="-0.38 -0.38 0.76 0.76" aria-hidden="true"><path d=${arrow(end)}></path></svg>`;
}
