// Rows of the standings glide to their new places when htmx brings a newer table.

(() => {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let before = new Map();

  const places = () => {
    const rows = document.querySelectorAll("#standings [data-player]");
    return new Map([...rows].map((row) => [row.dataset.player, { row, top: row.offsetTop, text: row.textContent }]));
  };
  document.addEventListener("htmx:beforeSwap", () => (before = places()));
  document.addEventListener("htmx:afterSwap", () => {
    if (still.matches) return;
    for (const [player, { row, top, text }] of places()) {
      const old = before.get(player);
      if (!old || (old.top === top && old.text === text)) continue;
      row.animate(
        [{ transform: `translateY(${old.top - top}px)` }, { transform: "none" }],
        { duration: 600, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" },
      );
    }
  });
})();
