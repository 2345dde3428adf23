// The camera checked in words: asked about once a second, for as long as the part is in view.

import { get, sendBody } from "../core/http.js";
import { repeat } from "../core/repeat.js";
import { load } from "./picture.js";

const EVERY = 900;
const SVG = "http://www.w3.org/2000/svg";
const GOOD = { light: "good", focus: "sharp", distance: "good" };
const BAD = { light: ["too_dark", "too_bright"], focus: ["blurred"], distance: ["far", "near"] };

export const shape = (name, given) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, value);
  return made;
};

// A label is small in the picture of a whole table: its mark stands round it, not on it.
export function around(corners, times = 1.6) {
  const [x, y] = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
  return corners
    .map(([a, b]) => [x + (a - x) * times, y + (b - y) * times].map((at) => at.toFixed(1)).join(","))
    .join(" ");
}

// The picture that was judged is shown, and what was found in it drawn over it once it is there.
async function show(part, metrics) {
  const picture = part.querySelector(".check-picture");
  const marks = part.querySelector(".check-marks");
  picture.hidden = !metrics.picture;
  if (!metrics.picture) {
    marks.replaceChildren();
    return;
  }
  await load(picture, `/api/v1/camera/live.jpg?number=${metrics.picture.number}`);
  marks.setAttribute("viewBox", `0 0 ${metrics.picture.width} ${metrics.picture.height}`);
  marks.replaceChildren(
    ...metrics.glare.map(([x, y, width, height]) => shape("rect", { class: "glare", x, y, width, height, rx: 8 })),
    ...(metrics.card ? [shape("polygon", { class: "outlined", points: around(metrics.card.corners) })] : []),
  );
}

const stateOf = (name, metrics) => {
  if (name === "glare") return metrics.glare.length ? "bad" : "good";
  if (metrics[name] === GOOD[name]) return "good";
  return BAD[name].includes(metrics[name]) ? "bad" : "open";
};

function say(part, metrics) {
  part.dataset.state = metrics.state;
  const line = part.querySelector(".check-state");
  line.textContent =
    metrics.problem && metrics.state === "lost" ? `${metrics.words.state} ${metrics.problem}` : metrics.words.state;
  line.hidden = metrics.state === "seeing";
  for (const finding of part.querySelectorAll("li[data-finding]")) {
    const name = finding.dataset.finding;
    finding.hidden = !metrics.picture;
    if (!metrics.picture) continue;
    finding.dataset.is = stateOf(name, metrics);
    finding.querySelector("span").textContent = metrics.words[name];
  }
  part.querySelector(".check-acts").hidden = !metrics.simulated;
}

// The first card read is named, and stays named: what was shown was read.
function name(part, metrics) {
  const place = part.querySelector(".check-card");
  const line = place.querySelector("b");
  place.hidden = !metrics.picture;
  if (metrics.card && place.dataset.card !== metrics.card.card) {
    place.dataset.card = metrics.card.card;
    const picture = place.querySelector("img");
    picture.src = `${metrics.card.picture}?at=${metrics.picture.number}`;
    picture.hidden = false;
    place.querySelector(".tick").removeAttribute("hidden");
    line.textContent = metrics.words.card;
    seen(metrics.card.card);
    part.dispatchEvent(new CustomEvent("camera:card", { bubbles: true, detail: metrics.card }));
  } else if (!place.dataset.card) {
    const ask = place.querySelector("[data-ask]").dataset.ask;
    if (line.textContent !== ask) line.textContent = ask;
  }
}

// On the simulated table a card lies until it has been looked at: the game that follows begins with a bare table.
const LOOKED_AT = 2500;
let laid = 0;
let lying = null;

const furnish = (body) =>
  sendBody("/api/v1/camera/simulated", JSON.stringify(body), "application/json", { keepalive: true });

async function takeAway() {
  const card = lying;
  lying = null;
  if (card) await furnish({ take_away: card });
}

async function lay(cards) {
  await takeAway();
  lying = cards[laid % cards.length];
  laid += 1;
  await furnish({ lay: lying });
}

const seen = (card) => card === lying && setTimeout(() => card === lying && takeAway().catch(() => {}), LOOKED_AT);

addEventListener("pagehide", () => takeAway().catch(() => {}));

async function showCheck(part) {
  const answer = await get("/api/v1/camera/check");
  if (!answer.ok) throw new Error(String(answer.status));
  const metrics = await answer.json();
  await show(part, metrics);
  say(part, metrics);
  name(part, metrics);
}

document.addEventListener("click", (event) => {
  const cards = event.target.closest("[data-check-lay]")?.dataset.checkLay;
  if (cards) lay(cards.split(" ")).catch(() => {});
});

// What is in view.
async function showChecks() {
  const parts = [...document.querySelectorAll("[data-camera-check]")];
  for (const part of parts) if (part.checkVisibility?.() ?? part.offsetParent) await showCheck(part);
}

repeat(showChecks, () => EVERY, 0);
