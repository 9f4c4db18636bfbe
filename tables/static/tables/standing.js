// How the match would end if it ended now. The server says places and points; here they get names.

import { html, nothing } from "../vendor/lit-html.js";
import { nameOf } from "./people.js";
import { sideName } from "./reasons.js";
import { sideOf, sidesOf } from "./rules.js";
import { plain, say, signed } from "./words.js";

/** The sides by place, the best first: "1. Ayşe +11 · 2. Əli −11"; friendly tables count no points. */
export function standingList({ table, match }) {
  const { standing } = table;
  if (!standing || match === null) return nothing;
  const sides = sidesOf(match).map((seats, side) => ({ side, seat: seats[0] }));
  sides.sort((a, b) => standing.places[a.seat] - standing.places[b.seat] || a.seat - b.seat);
  return html`
    <div class="standing">
      <h3>${say("if_now")}</h3>
      <ol>${sides.map(({ side, seat }) => html`
        <li class=${isMine(table, match, side) ? "standing-mine" : ""}><span>${standing.places[seat]}.</span> ${sideName({ table, match }, side)}${points(standing, seat)}</li>`)}</ol>
    </div>`;
}

function isMine({ you }, match, side) {
  return you !== null && sideOf(match, you) === side;
}

function points({ points: all }, seat) {
  return all === null ? nothing : html` <strong>${signed(all[seat])}</strong>`;
}

/** The scores in words, and how the match would end now. */
export function scoresSpoken(view) {
  if (!view.match) return "";
  return view.table.seats.map(({ seat }) => scoreSpoken(view, seat)).join(", ");
}

function scoreSpoken(view, seat) {
  const { standing } = view.table;
  const name = nameOf(view, seat);
  const score = `${name}: ${plain(view.match.totals[sideOf(view.match, seat)])}`;
  if (!standing) return score;
  const place = say("say_place", { n: standing.places[seat] });
  return standing.points === null ? `${score} (${place})` : `${score} (${place}, ${say("say_points", { n: signed(standing.points[seat]) })})`;
}
