// The clock's picture: the ring around who is on turn, the banks, the last seconds in figures, and
// what the table waits for. Only seen: nobody wants a count read aloud.

import { minutes, say } from "./words.js";

const OFTEN = 250;
const LAST = 10_000; // so much of a turn's time is counted down in figures

/** Draw the time by what `read()` tells: {deadline (epoch ms or null), move (ms), bank (ms of the seat
 *  on turn), turn (whether the deadline is a person's turn), kept (ms of a turn that waits, or null)}. */
export function runClock(root, read) {
  const draw = () => {
    const told = read();
    const left = told.deadline === null ? null : Math.max(0, told.deadline - Date.now());
    drawTurn(root, told.turn ? left : told.kept, told);
    root.querySelectorAll(".countdown").forEach((place) => drawCountdown(place, told.turn ? null : left));
  };
  setInterval(draw, OFTEN);
  return draw;
}

function drawTurn(root, left, { move, bank, turn }) {
  drawRing(root.querySelector(".ring-time"), left, move, bank);
  const seconds = turn ? lastSeconds(left) : "";
  root.querySelectorAll(".ring-seconds, .own-seconds").forEach((place) => write(place, seconds));
  root.querySelectorAll(".bank-time").forEach((place) => drawBank(place, left));
}

/** First the move's own time goes round, then the bank. */
function drawRing(ring, left, move, bank) {
  if (!ring) return;
  const banking = left !== null && bank > 0 && left <= bank;
  const [rest, whole] = banking ? [left, bank] : [left - bank, move];
  const share = left === null || whole === 0 ? 100 : Math.min(100, (100 * rest) / whole);
  ring.setAttribute("stroke-dasharray", `${share.toFixed(1)} 100`);
  ring.classList.toggle("ring-bank", banking);
  ring.classList.toggle("ring-late", left !== null && left <= LAST);
}

function drawBank(place, left) {
  const kept = Number(place.dataset.bank);
  const runs = "turn" in place.dataset && left !== null && left < kept;
  write(place, minutes(runs ? left : kept));
  place.classList.toggle("bank-runs", runs);
}

function drawCountdown(place, left) {
  const n = left === null ? 0 : Math.ceil(left / 1000);
  write(place, left === null ? "" : say(place.dataset.say, { n, time: minutes(left) }));
}

function lastSeconds(left) {
  return left === null || left > LAST ? "" : `${Math.ceil(left / 1000)}`;
}

function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
