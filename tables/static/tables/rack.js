// The reader's own tiles, and which of them may be played where.

import { html } from "../vendor/lit-html.js";
import { isMyTurn, isPlayed, standsStill } from "./people.js";
import { openingReason } from "./reasons.js";
import { forcedOpening } from "./rules.js";
import { halvesOf, tileShape } from "./tiles.js";
import { say, tileName } from "./words.js";

/** The ends at which the tile may go now, as the view's `legal` says: [], [null], ["L"], … */
export function endsFor(view, tile) {
  if (!isPlayed(view.table)) return [];
  return view.match.legal.filter(({ play }) => play === tile).map(({ end }) => end ?? null);
}

/** The command that lays a tile; on the empty line no end is named. */
export function playing(tile, end) {
  return end === null ? { do: "play", tile } : { do: "play", tile, end };
}

/** Why a tile cannot be played now. */
export function whyNot(view, tile) {
  if (standsStill(view.table)) return say("stands_still");
  const forced = forcedOpening(view.match);
  return forced ? openingReason(view.match, forced) : say("not_fitting", { tile: tileName(tile) });
}

/** The tile to which a key moves the focus, or null. */
export function neighbour(tiles, index, key) {
  const moves = { ArrowLeft: index - 1, ArrowUp: index - 1, ArrowRight: index + 1, ArrowDown: index + 1 };
  if (key === "Home") return tiles[0];
  if (key === "End") return tiles.at(-1);
  return key in moves ? tiles[(moves[key] + tiles.length) % tiles.length] : null;
}

export function rack(state, screen, act) {
  const { view, link, pending } = state;
  const tiles = view.match.rack ?? [];
  const blocked = link !== "open" || pending !== null;
  const focus = tiles.includes(screen.focus) ? screen.focus : tiles[0];
  return html`
    <div class=${blocked ? "rack rack-blocked" : "rack"} role="toolbar" aria-label=${say("your_tiles")}
      @keydown=${act.moveFocus}>
      ${tiles.map((tile) => rackTile(view, tile, { blocked, focus, chosen: screen.choosing }, act))}
    </div>`;
}

function rackTile(view, tile, { blocked, focus, chosen }, act) {
  const ends = endsFor(view, tile);
  const playable = ends.length > 0 && !blocked;
  const classes = ["rack-tile", playable ? "rack-tile-fits" : "", tile === chosen ? "rack-tile-chosen" : ""];
  return html`
    <button type="button" class=${classes.join(" ")} data-tile=${tile} tabindex=${tile === focus ? 0 : -1}
      aria-disabled=${playable ? "false" : "true"} aria-label=${rackLabel(view, tile, ends)}
      @click=${() => act.tap(tile)} @focus=${() => act.focused(tile)}>
      <svg viewBox="-0.5 -1 1 2" aria-hidden="true"><g transform="rotate(90)">${tileShape(...halvesOf(tile))}</g></svg>
    </button>`;
}

function rackLabel(view, tile, ends) {
  if (!isMyTurn(view)) return tileName(tile);
  if (ends.length === 0 && forcedOpening(view.match)) return `${tileName(tile)}, ${say("fits_not_first")}`;
  const fits = { 0: "fits_none", 1: `fits_${ends[0] ?? "open"}`, 2: "fits_both" }[ends.length];
  return `${tileName(tile)}, ${say(fits)}`;
}
