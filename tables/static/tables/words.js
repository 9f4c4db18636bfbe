// The page's words: they come as JSON from the server, so that gettext alone knows languages.

export const words = JSON.parse(document.getElementById("words").textContent);

/** The sentence `key` with {names} filled in. */
export function say(key, values = {}) {
  return words[key].replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** "1 tile", "5 tiles". */
export function tileCount(n) {
  return say(n === 1 ? "tile_one" : "tile_many", { n });
}

/** "1 pip", "5 pips". */
export function pipCount(n) {
  return say(n === 1 ? "pip_one" : "pip_many", { n });
}

/** Milliseconds as minutes and seconds: "1:05". */
export function minutes(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** "6-4" in words: "six-four"; "5-5": "double five". */
export function tileName(name) {
  const [high, low] = name.split("-");
  if (name === "0-0") return say("double_blank");
  if (high === low) return say("double", { number: say(`number_${high}`) });
  return say("tile", { high: say(`number_${high}`), low: say(`number_${low}`) });
}

/** "+10", "−3", "0", with the true minus sign. */
export function signed(n) {
  if (n === 0) return "0";
  return n > 0 ? `+${n}` : `−${-n}`;
}

/** "−3" for what may be below zero, without a plus. */
export function plain(n) {
  return n < 0 ? `−${-n}` : `${n}`;
}
