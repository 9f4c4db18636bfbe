// The board's entry: socket → state → picture, and taps and keys → commands.

import { render } from "../vendor/lit-html.js";
import { announce } from "./announce.js";
import { runClock } from "./clock.js";
import { openingReason } from "./reasons.js";
import { finishedHands, forcedOpening } from "./rules.js";
import { TableSocket } from "./socket.js";
import { endsFor, tableView } from "./view.js";
import { say, tileName } from "./words.js";

const FLASH = 1_800;
const root = document.getElementById("board");
const spoken = document.getElementById("spoken");
const links = { ...root.dataset };
const screen = { choosing: null, flash: null, closed: null, focus: null, room: { width: 360, height: 320 } };
let flashTimer = null;

const act = {
  send(order) {
    screen.choosing = null;
    socket.command(order);
  },
  tap(tile) {
    const { view, link, pending } = socket.state;
    if (link !== "open" || pending) return;
    const ends = endsFor(view, tile);
    if (ends.length === 0) speak(whyNot(view.match, tile));
    else if (ends.length === 1) act.send(play(tile, ends[0]));
    else act.offer(tile);
  },
  offer(tile) {
    screen.choosing = screen.choosing === tile ? null : tile;
    draw();
    if (screen.choosing) {
      speak(say("choose_end", { tile: tileName(tile) }));
      root.querySelector("[data-end]").focus({ preventScroll: true });
    }
  },
  choose(end) {
    if (screen.choosing) act.send(play(screen.choosing, end));
  },
  cancel() {
    const tile = screen.choosing;
    screen.choosing = null;
    draw();
    root.querySelector(`[data-tile="${tile}"]`)?.focus();
  },
  fold() {
    screen.closed = finishedHands(socket.state.view.match);
    draw();
    root.querySelector("[data-do=result]").focus();
  },
  unfold() {
    screen.closed = null;
    draw();
    root.querySelector("[data-do=close]").focus();
  },
  languages() {
    document.getElementById("languages").showModal();
  },
  focused(tile) {
    screen.focus = tile;
    draw();
  },
  moveFocus(event) {
    const tiles = [...event.currentTarget.querySelectorAll("[data-tile]")];
    const next = neighbour(tiles, tiles.indexOf(event.target), event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  },
};

/** Why a tile cannot be played now. */
function whyNot(match, tile) {
  const forced = forcedOpening(match);
  return forced ? openingReason(match, forced) : say("not_fitting", { tile: tileName(tile) });
}

function play(tile, end) {
  return end === null ? { do: "play", tile } : { do: "play", tile, end };
}

function neighbour(tiles, index, key) {
  const moves = { ArrowLeft: index - 1, ArrowUp: index - 1, ArrowRight: index + 1, ArrowDown: index + 1 };
  if (key === "Home") return tiles[0];
  if (key === "End") return tiles.at(-1);
  return key in moves ? tiles[(moves[key] + tiles.length) % tiles.length] : null;
}

function speak(text) {
  if (text) spoken.textContent = text;
}

function draw() {
  const held = root.contains(document.activeElement);
  root.dataset.version = socket.state.version;
  render(tableView(socket.state, screen, act, links), root);
  measure();
  drawClock();
  if (held && !root.contains(document.activeElement)) keepFocus();
}

/** What had the focus is gone (a tile was played): the next thing to press gets it. */
function keepFocus() {
  const next = root.querySelector("[data-do]:not(:disabled)") ?? root.querySelector('[data-tile][tabindex="0"]');
  next?.focus({ preventScroll: true });
}

/** The line is laid for the room it has; a changed room lays it anew. */
function measure() {
  const felt = root.querySelector(".felt");
  if (!felt) return;
  const { clientWidth: width, clientHeight: height } = felt;
  if (!width || !height || (width === screen.room.width && height === screen.room.height)) return;
  screen.room = { width, height };
  render(tableView(socket.state, screen, act, links), root);
}

function flash(events) {
  const scored = events.findLast((event) => event.kind === "tile_played" && event.scored > 0);
  if (!scored) return;
  screen.flash = { seat: scored.seat, scored: scored.scored };
  clearTimeout(flashTimer);
  flashTimer = setTimeout(() => {
    screen.flash = null;
    draw();
  }, FLASH);
}

function changed(state, what) {
  if (!socket) return;
  if (what?.kind === "snapshot" || what?.kind === "event") screen.choosing = null;
  if (what?.kind === "event") flash(what.events ?? []);
  draw();
  speak(announce(state, what));
}

root.replaceChildren(); // the words that stood there until now
let socket = null;
socket = new TableSocket(root.dataset.socket, changed);
const drawClock = runClock(root, () => socket.state.clock, () => socket.state.view?.table.move_seconds ?? 30);
new ResizeObserver(draw).observe(root);
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || document.querySelector("dialog[open]")) return;
  if (screen.choosing) act.cancel();
  else if (root.querySelector("[data-do=close]")) act.fold();
});
draw();
