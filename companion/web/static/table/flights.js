// Pieces that come to players are seen flying there, once, while the table plays on.  Who comes later sees where they
// are, and whoever wants no motion sees none.

const LASTS = 900; // milliseconds
const APART = 110;
const SIDE = 34; // pixels

const place = () => document.getElementById("flights");
let last = Number(place()?.dataset.entry ?? 0);

// The middle of a place, as near as the screen shows it.
function middle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const within = (value, most) => Math.min(Math.max(value, SIDE), most - SIDE);
  return { x: within(left + width / 2, innerWidth), y: within(top + Math.min(height, 60) / 2, innerHeight) };
}

function flown(flight, number) {
  const { from, to } = flight.dataset;
  const [begins, ends] = [
    document.getElementById(`panel-${from}`) ??
      document.querySelector(".plain-picture, .stage-picture") ??
      document.body,
    document.getElementById(`panel-${to}`),
  ].map((element) => element && middle(element));
  if (!begins || !ends) return;
  const piece = document.createElement("span");
  piece.className = "flight";
  piece.setAttribute("aria-hidden", "true");
  piece.append(flight.firstElementChild.cloneNode(true));
  document.body.append(piece);
  const [x, y] = [ends.x - begins.x, ends.y - begins.y];
  const at = (share, scale, opacity) => ({
    transform: `translate(${begins.x + x * share - SIDE / 2}px, ${begins.y + y * share - SIDE / 2}px) scale(${scale})`,
    opacity,
  });
  /** @type {KeyframeAnimationOptions} */
  const timing = { duration: LASTS, delay: number * APART, easing: "ease-in-out", fill: "both" };
  piece
    .animate([at(0, 0.4, 0), at(0.15, 1.4, 1), at(0.9, 1.1, 1), at(1, 0.6, 0)], timing)
    .finished.finally(() => piece.remove());
}

function shown() {
  const shown = place();
  const entry = Number(shown?.dataset.entry ?? 0);
  if (entry <= last) return;
  last = entry;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  [...shown.children].forEach(flown);
}
document.addEventListener("table:shown", shown);
