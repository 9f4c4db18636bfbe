// A tile dragged from the rack to an end of the line. Never needed: a tap does the same.
//
// The browser's own scrolling wins where it takes the finger (pointercancel); Escape, a second finger
// and a drop beside every open end put the tile back.

const BEGINS = 8; // CSS pixels before a press is a drag
const REACH = 40; // how far from an end a tile may be let go
const LIFT = 36; // so far above the finger the tile is, to be seen

/** Let the rack's tiles be dragged. `table`: `ends(tile)` → where it may go now ([null]: anywhere on
 *  the empty felt), `show(ends or null)` shows those ends, `drop(tile, end)` plays.
 *  → a function that puts back what is being dragged. */
export function letDrag(root, table) {
  let held = null;
  let spent = null; // the pointer whose drag was called off while it was still pressed

  function press(event) {
    const button = event.target.closest?.("[data-tile]");
    if (held) return cancel();
    if (!button || event.button !== 0 || !event.isPrimary) return;
    const { tile } = button.dataset;
    if (table.ends(tile).length === 0) return;
    held = { tile, button, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null };
  }

  function move(event) {
    if (event.pointerId !== held?.id) return;
    if (event.buttons === 0) return cancel(); // it was let go where nobody heard of it
    const far = Math.hypot(event.clientX - held.x, event.clientY - held.y);
    if (!held.ghost && far < BEGINS) return;
    if (!held.ghost) begin(event);
    const lift = event.pointerType === "touch" ? LIFT : 0;
    held.at = { x: event.clientX, y: event.clientY - lift };
    held.ghost.style.transform = `translate(${held.at.x}px, ${held.at.y}px) translate(-50%, -50%)`;
    mark(root, targetAt(root, held.at));
  }

  function begin(event) {
    held.button.setPointerCapture(event.pointerId);
    held.button.classList.add("rack-tile-lifted");
    held.ghost = ghostOf(held.button);
    table.show(table.ends(held.tile));
  }

  function release(event) {
    if (event.pointerId === spent) return void forget();
    if (event.pointerId !== held?.id) return;
    if (!held.ghost) return void (held = null);
    const { tile, at } = held;
    const target = targetAt(root, at);
    const open = target !== undefined && table.ends(tile).includes(target);
    swallowClick();
    end();
    if (open) table.drop(tile, target);
  }

  function end() {
    if (held?.ghost) {
      held.ghost.remove();
      held.button.classList.remove("rack-tile-lifted");
      mark(root, undefined);
      table.show(null);
    }
    held = null;
  }

  function cancel() {
    if (held?.ghost) spent = held.id;
    end();
  }

  function forget() {
    spent = null;
    swallowClick();
  }

  function escape(event) {
    if (event.key !== "Escape" || !held?.ghost) return;
    event.stopPropagation();
    cancel();
  }

  root.addEventListener("pointerdown", press);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", release);
  document.addEventListener("pointercancel", ({ pointerId }) => pointerId === held?.id && end());
  document.addEventListener("keydown", escape, { capture: true });
  window.addEventListener("blur", cancel);
  return cancel;
}

/** A picture of the tile that follows the pointer. */
function ghostOf(button) {
  const ghost = document.createElement("div");
  ghost.className = "drag-ghost";
  ghost.setAttribute("aria-hidden", "true");
  ghost.append(button.querySelector("svg").cloneNode(true));
  document.body.append(ghost);
  return ghost;
}

/** The end a tile let go at this point goes to: "L", "R", null for the empty felt; else undefined. */
function targetAt(root, { x, y }) {
  const slots = [...root.querySelectorAll("[data-slot]")];
  if (slots.length === 0) return distance(root.querySelector(".felt"), x, y) === 0 ? null : undefined;
  const near = slots.filter((slot) => slot.dataset.slot && distance(slot, x, y) <= REACH);
  near.sort((a, b) => distance(a, x, y) - distance(b, x, y));
  return near[0]?.dataset.slot;
}

function distance(element, x, y) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

function mark(root, target) {
  root.querySelectorAll("[data-slot]").forEach((slot) => {
    slot.classList.toggle("slot-over", target !== undefined && slot.dataset.slot === target);
  });
}

/** The click that the browser makes of press and release was a drag. */
function swallowClick() {
  const swallow = (event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  window.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
}
