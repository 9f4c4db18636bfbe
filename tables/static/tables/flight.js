// Drawn tiles fly from the stock to who drew them. Only seen: nothing waits for it, and whoever wants
// less motion gets none.

const TIME = 340; // milliseconds
const APART = 55;
const MOST = 5; // so many are shown of a long draw

/** Let the tiles of these events fly, over a board that shows already where they have come. */
export function flyDrawn(root, events) {
  if (document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const stock = root.querySelector("[data-stock]");
  if (!stock) return;
  events.filter(({ kind }) => kind === "tiles_drawn").forEach((drawn) => {
    targets(root, drawn).slice(0, MOST).forEach((target, index) => fly(stock, target, index * APART));
  });
}

/** The own tiles themselves; the seat, for each tile of another. */
function targets(root, { seat, tiles }) {
  if (Array.isArray(tiles)) return tiles.map((tile) => root.querySelector(`[data-tile="${tile}"]`)).filter(Boolean);
  const card = root.querySelector(`[data-seat="${seat}"] .avatar`);
  return card ? Array.from({ length: tiles }, () => card) : [];
}

function fly(from, to, delay) {
  const back = document.createElement("div");
  back.className = "flying";
  back.setAttribute("aria-hidden", "true");
  document.body.append(back);
  const way = [from, to].map(middle).map(({ x, y }) => `translate(${x}px, ${y}px) translate(-50%, -50%)`);
  const frames = [
    { transform: `${way[0]} scale(0.5)`, opacity: 0.4 },
    { transform: `${way[1]} scale(1)`, opacity: 1, offset: 0.85 },
    { transform: `${way[1]} scale(1)`, opacity: 0 },
  ];
  const flight = back.animate(frames, { duration: TIME, delay, easing: "ease-out", fill: "both" });
  flight.onfinish = flight.oncancel = () => back.remove();
}

function middle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
