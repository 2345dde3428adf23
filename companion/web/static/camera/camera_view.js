// The picture in the camera's sheet, once a second, and what is seen in it: cards, codes that are none, labels that
// are not read and why, the mat's zones.

import { get } from "../core/http.js";
import { lost, persist, table } from "../core/page.js";
import "./camera.js";
import { around, shape } from "./camera_check.js";
import { load } from "./picture.js";
import { kind, sheet } from "../core/sheet.js";
import { scaleOf, zones } from "./zones_drawn.js";

const EVERY = 900;
const LETTERS = 14;

// Its style sheet comes with it.
document.head.append(
  Object.assign(document.createElement("link"), {
    rel: "stylesheet",
    href: new URL("./camera_check.css", import.meta.url).href,
  }),
);

function named(text, corners, scale, kind) {
  const top = corners.reduce((best, corner) => (corner[1] < best[1] ? corner : best));
  const x = corners.reduce((sum, corner) => sum + corner[0], 0) / corners.length;
  const label = shape("text", {
    class: `card-name ${kind}-name`,
    x,
    y: top[1] - 10 * scale,
    "font-size": LETTERS * scale,
    "text-anchor": "middle",
  });
  label.textContent = text;
  return label;
}

function drawn(marks, sighting) {
  const scale = scaleOf(marks, sighting.picture);
  const differing = new Set((sheet.querySelector("#lying")?.dataset.differing || "").split(" "));
  const cards = sighting.cards.flatMap(({ card, corners }) => {
    const kind = differing.has(card) ? "differs" : "outlined";
    return [shape("polygon", { class: kind, points: around(corners) }), named(card, corners, scale, kind)];
  });
  const strangers = sighting.strangers.flatMap(({ corners }) => [
    shape("polygon", { class: "stranger", points: around(corners, 1.3) }),
    named("?", corners, scale, "stranger"),
  ]);
  const unread = sighting.unread.flatMap(({ title, corners }) => [
    shape("polygon", { class: "unread", points: around(corners, 1.3) }),
    named(title, corners, scale, "unread"),
  ]);
  return [...zones(marks, sighting.picture, sighting.zones), ...cards, ...strangers, ...unread];
}

// What to do about labels that are not read: each advice once.
function advise(unread) {
  const place = sheet.querySelector("#unread");
  place.hidden = !unread.length;
  const lines = [...new Set(unread.map(({ advice }) => advice))];
  place
    .querySelector("ul")
    .replaceChildren(...lines.map((advice) => Object.assign(document.createElement("li"), { textContent: advice })));
}

async function showPicture() {
  const place = sheet.querySelector("[data-view]");
  if (!place || document.hidden || lost()) return;
  const answer = await get(`/api/v1/tables/${table}/camera`);
  if (answer.status >= 500) throw new Error(String(answer.status));
  if (!answer.ok) return;
  const sighting = await answer.json();
  const picture = place.querySelector("img");
  const marks = place.querySelector("svg");
  const address = `/api/v1/tables/${table}/live.jpg`;
  if (!sighting.picture) {
    await load(picture, `${address}?at=${Date.now()}`).catch(() => {}); // there may be none
    return;
  }
  await load(picture, `${address}?number=${sighting.picture.number}`);
  if (!place.isConnected) return;
  marks.setAttribute("viewBox", `0 0 ${sighting.picture.width} ${sighting.picture.height}`);
  marks.replaceChildren(...drawn(marks, sighting));
  const line = sheet.querySelector("#strangers");
  if (!line) return;
  line.hidden = !sighting.strangers.length;
  line.querySelector("span").textContent = sighting.strangers.map(({ text }) => text).join(", ");
  advise(sighting.unread);
}

let running = false;

async function watch() {
  running = true;
  while (kind() === "camera") {
    const begun = performance.now();
    await persist(showPicture).catch(() => {});
    await new Promise((done) => setTimeout(done, Math.max(100, EVERY - (performance.now() - begun))));
  }
  running = false;
}

export function begin() {
  if (!running) watch();
}
