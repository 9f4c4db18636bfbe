// The clock's picture: the ring around who is on turn, the last seconds in figures, and the seconds
// to the next hand. Only seen: nobody wants a count read aloud.

import { say } from "./words.js";

const OFTEN = 250;
const LAST = 10_000; // so much of a move's time is counted down in figures

/** Draw the time left until `deadline()` (epoch milliseconds or null) out of `seconds()`. */
export function runClock(root, deadline, seconds) {
  const draw = () => {
    const until = deadline();
    const left = until === null ? null : Math.max(0, until - Date.now());
    drawRing(root.querySelector(".ring-time"), left, seconds() * 1000);
    root.querySelectorAll(".ring-seconds, .own-seconds").forEach((place) => write(place, lastSeconds(left)));
    drawCountdown(root.querySelector(".countdown"), left);
  };
  setInterval(draw, OFTEN);
  return draw;
}

function drawRing(ring, left, whole) {
  if (!ring) return;
  const share = left === null ? 100 : Math.min(100, (100 * left) / whole);
  ring.setAttribute("stroke-dasharray", `${share.toFixed(1)} 100`);
  ring.classList.toggle("ring-late", left !== null && left <= LAST);
}

function drawCountdown(place, left) {
  if (!place) return;
  write(place, left === null ? "" : say("next_in", { n: Math.ceil(left / 1000) }));
}

function lastSeconds(left) {
  return left === null || left > LAST ? "" : `${Math.ceil(left / 1000)}`;
}

function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
