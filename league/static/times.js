// Times in the reader's own zone. Without this module they stand in the site's zone, which is named.

const [year] = new Date().toISOString().split("-");
const own = document.documentElement.lang;
// A browser without a language's months says "M11": then in figures with dots, as Russian has them.
const named = !/\d/.test(new Intl.DateTimeFormat(own, { month: "short" }).format());
const language = { en: "en-GB" }[own] ?? (named ? own : "ru"); // the day first, as on the pages
const parts = { day: named ? "numeric" : "2-digit", month: named ? "short" : "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const near = new Intl.DateTimeFormat(language, parts);
const far = new Intl.DateTimeFormat(language, { ...parts, year: "numeric" });

/** The name of the zone stands in the title, for whoever wonders which one it is. */
function localize(time) {
  const form = time.dateTime.startsWith(year) ? near : far;
  const text = form.format(new Date(time.dateTime));
  if (time.textContent === text) return;
  time.textContent = text;
  time.title = form.resolvedOptions().timeZone;
}

function localizeAll() {
  document.querySelectorAll("time[datetime]").forEach(localize);
}

localizeAll();
// htmx brings parts of the page anew: they are put right before anybody sees them
new MutationObserver(localizeAll).observe(document.body, { childList: true, subtree: true });
