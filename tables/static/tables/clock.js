// The clock's picture: the ring around who is on turn, and the seconds to the next hand.

import { say } from "./words.js";

const OFTEN = 250;

/** Draw the time left until `deadline()` (epoch milliseconds or null) out of `seconds()`. */
export function runClock(root, deadline, seconds) {
  const draw = () => {
    const until = deadline();
    const left = until === null ? null : Math.max(0, until - Date.now());
    drawRing(root.querySelector(".ring-time"), left, seconds() * 1000);
    drawCountdown(root.querySelector(".countdown"), left);
  };
  setInterval(draw, OFTEN);
  return draw;
}

function drawRing(ring, left, whole) {
  if (!ring) return;
  const share = left === null ? 100 : Math.min(100, (100 * left) / whole);
  ring.setAttribute("stroke-dasharray", `${share.toFixed(1)} 100`);
  ring.classList.toggle("ring-late", left !== null && left < 8_000);
}

function drawCountdown(place, left) {
  if (!place) return;
  const text = left === null ? "" : say("next_in", { n: Math.ceil(left / 1000) });
  if (place.textContent !== text) place.textContent = text;
}
