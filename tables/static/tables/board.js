// The board's entry: socket → state → picture, and taps and keys → commands.

import { render } from "../vendor/lit-html.js";
import { announce } from "./announce.js";
import { heard, keepMuted, readMuted } from "./chat.js";
import { runClock } from "./clock.js";
import { dialogs, rulingOf } from "./dialogs.js";
import { letDrag } from "./drag.js";
import { flyDrawn } from "./flight.js";
import { keyPressed } from "./keys.js";
import { isMyTurn, mayComeBack, seatLost, standsStill } from "./people.js";
import { endsFor, neighbour, playing, whyNot } from "./rack.js";
import { TableSocket } from "./socket.js";
import { call, keepSound, knock, readSound } from "./sound.js";
import { panelKey, tableView } from "./view.js";
import { say, tileName } from "./words.js";

const FLASH = 1_800;
const NOTE = 8_000;
const STAND_IN = 60_500; // a little after the manager's minute
const root = document.getElementById("board");
const asked = document.getElementById("dialogs");
const spoken = document.getElementById("spoken");
const links = { ...root.dataset };
/** What this device adds to the state: the tile whose end is asked for, the ends open to the tile that
 *  is dragged, what flashes, which panel is closed, the rack's focus, the felt's size; since when a
 *  press is due (ms); the chat, what came unseen, who is muted; a note, the chosen ruling, the sound. */
const screen = {
  choosing: null, drag: null, flash: null, closed: null, focus: null, room: { width: 360, height: 320 },
  dueSince: null, chat: false, unread: 0, muted: readMuted(), note: "", ruling: "continue",
  sound: readSound(),
};
const timers = {};

const act = {
  send(order) {
    screen.choosing = null;
    socket.command(order);
  },
  tap(tile) {
    const { view, link, pending } = socket.state;
    if (link !== "open" || pending) return;
    const ends = endsFor(view, tile);
    if (ends.length === 0) speak(whyNot(view, tile));
    else if (ends.length === 1) act.send(playing(tile, ends[0]));
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
    if (screen.choosing) act.send(playing(screen.choosing, end));
  },
  cancel() {
    const tile = screen.choosing;
    screen.choosing = null;
    draw();
    root.querySelector(`[data-tile="${tile}"]`)?.focus();
  },
  fold() {
    screen.closed = panelKey(socket.state.view);
    draw();
    root.querySelector("[data-do=result]")?.focus();
  },
  unfold() {
    screen.closed = null;
    draw();
    root.querySelector("[data-do=close]")?.focus();
  },
  open(id) {
    shut();
    document.getElementById(id).showModal();
  },
  /** Send what a dialog asked about. */
  confirm(order) {
    shut();
    act.send(order);
  },
  languages() {
    act.open("languages");
  },
  choosing(ruling) {
    screen.ruling = ruling;
    draw();
  },
  rule(event) {
    event.preventDefault();
    const form = event.currentTarget;
    act.confirm(rulingOf(socket.state.view, form));
    form.reset();
    screen.ruling = "continue";
  },
  sound() {
    screen.sound = !screen.sound;
    keepSound(screen.sound);
    draw();
    if (screen.sound) knock();
  },
  chat() {
    screen.chat = !screen.chat;
    screen.unread = 0;
    draw();
    if (screen.chat) root.querySelector(".chat .panel-close").focus({ preventScroll: true });
    else root.querySelector("[data-open=chat]").focus({ preventScroll: true });
    showLatest();
  },
  say(words) {
    if (!socket.say(words)) note(say("waiting_link"));
  },
  write(event) {
    event.preventDefault();
    const form = event.currentTarget;
    const text = form.elements.text.value.trim();
    if (!text) return;
    act.say({ text });
    form.reset();
  },
  mute(id) {
    if (!screen.muted.delete(id)) screen.muted.add(id);
    keepMuted(screen.muted);
    draw();
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

function shut() {
  document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
}

function speak(text) {
  if (text) spoken.textContent = text;
}

/** Show a line over the table for a while; it is spoken by whoever says it. */
function note(text) {
  screen.note = text;
  later("note", NOTE, () => (screen.note = ""));
  draw();
}

function later(name, wait, change) {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(() => {
    change();
    draw();
  }, wait);
}

function draw() {
  const table = socket.state.view?.table;
  if (table?.status === "playing" && table.you !== null) links.held = "yes"; // who leaves comes not again
  const held = root.contains(document.activeElement);
  root.dataset.version = socket.state.version;
  render(tableView(socket.state, screen, act, links), root);
  render(dialogs(socket.state, screen, act, links), asked);
  measure();
  drawClock();
  if (held && !root.contains(document.activeElement)) keepFocus();
}

/** What had the focus is gone (a tile was played): the next thing to press gets it. */
function keepFocus() {
  const next = root.querySelector("[data-do]:not(:disabled)") ?? root.querySelector('[data-tile][tabindex="0"]');
  next?.focus({ preventScroll: true });
}

/** The line is laid for the room it has; a changed room lays it anew. Seats that do not fit scroll, so
 *  they must be reached by key. */
function measure() {
  const around = root.querySelector(".board-around");
  around?.toggleAttribute("tabindex", false);
  if (around && around.scrollHeight > around.clientHeight + 1) around.tabIndex = 0;
  const rack = root.querySelector(".rack");
  rack?.toggleAttribute("data-scrolls", rack.scrollHeight > rack.clientHeight + 1 || rack.scrollWidth > rack.clientWidth + 1);
  const felt = root.querySelector(".felt");
  if (!felt) return;
  const { clientWidth: width, clientHeight: height } = felt;
  if (!width || !height || (width === screen.room.width && height === screen.room.height)) return;
  screen.room = { width, height };
  render(tableView(socket.state, screen, act, links), root);
}

/** What people said last stands at the bottom of the chat. */
function showLatest() {
  const list = root.querySelector(".said");
  if (list) list.scrollTop = list.scrollHeight;
}

function flash(events) {
  const scored = events.findLast((event) => event.kind === "tile_played" && event.scored > 0);
  if (!scored) return;
  screen.flash = { seat: scored.seat, scored: scored.scored };
  later("flash", FLASH, () => (screen.flash = null));
}

/** Note since when a press is due: after a minute another may press in the manager's place. */
function watchPress({ table }) {
  if (!table.press_due) screen.dueSince = null;
  else if (screen.dueSince === null) {
    screen.dueSince = Date.now();
    later("stand-in", STAND_IN, () => {});
  }
}

function taken(what, before) {
  const { view } = socket.state;
  screen.choosing = null;
  putBack();
  watchPress(view);
  const lost = seatLost(before, view, what);
  if (what.kind === "event") flash(what.events ?? []);
  if (lost) note(lost);
  else if (what.ruling && what.ruling !== "end") note(say("say_ruling", { ruling: say(`ruling_${what.ruling}`), reason: what.reason }));
  return lost;
}

/** Somebody spoke: in an open chat it is seen at once, else it is counted. */
function listened(one) {
  if (heard([one], screen.muted).length === 0) return false;
  if (!screen.chat) screen.unread += 1;
  return true;
}

/** What is seen flying and heard, once the board shows what happened. */
function enliven(view, events, last) {
  flyDrawn(root, events);
  if (!screen.sound) return;
  if (events.some(({ kind }) => kind === "tile_played")) knock();
  if (isMyTurn(view) && !(last && isMyTurn(last))) call();
}

let before = null;
function changed(state, what) {
  if (!socket) return;
  const last = before;
  before = state.view;
  let more = "";
  if (what?.kind === "snapshot" || what?.kind === "event") more = taken(what, last);
  if (what?.kind === "said" && !listened(what)) return draw();
  if (what?.kind === "refused" && what.text) note(what.text);
  draw();
  if (what?.kind === "event") enliven(state.view, what.events ?? [], last);
  if (what?.kind === "said") showLatest();
  speak([more, announce(state, what, last)].filter(Boolean).join(" "));
  if (what?.joined && mayComeBack(state.view) && document.visibilityState === "visible") act.send({ do: "sit" });
}

/** What the clock draws: whose time runs, or what the table waits for. */
function time() {
  const { view, clock } = socket.state;
  const table = view?.table;
  const seat = view?.match?.turn ?? null;
  const person = seat !== null && !table.seats[seat].bot;
  return {
    deadline: clock,
    turn: person && table.status === "playing" && !standsStill(table),
    kept: person ? table.turn_left_ms : null,
    move: (table?.move_seconds ?? 0) * 1000,
    bank: person ? table.seats[seat].bank_ms : 0,
  };
}

root.replaceChildren(); // the words that stood there until now
let socket = null;
const putBack = letDrag(root, {
  ends: (tile) => (socket.state.link === "open" && !socket.state.pending ? endsFor(socket.state.view, tile) : []),
  show(ends) {
    screen.drag = ends;
    if (ends) screen.choosing = null;
    draw();
  },
  drop: (tile, end) => act.send(playing(tile, end)),
});
socket = new TableSocket(root.dataset.socket, changed);
const drawClock = runClock(root, time);
new ResizeObserver(draw).observe(root);
document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  if (event.key !== "Escape" && !root.contains(document.activeElement)) return; // single letters only on the board
  keyPressed(event, { state: socket.state, screen, act, speak, root });
});
draw();
