// Calibrating step by step.  One step is in view; it takes in a frame, says what it showed, and asks for the next.

import { shape } from "./camera_check.js";
import { get, post } from "../core/http.js";
import { repeat } from "../core/repeat.js";
import { load } from "./picture.js";
import { scaleOf, zones } from "./zones_drawn.js";

const PAUSE = 250;
const REFUSED = 1_000; // from a look that was refused to the next one
let kept = {};
const results = {}; // of each step, and which of them was saved here
const saved = {};
const main = document.querySelector(".calibrate-main");
const PATIENCE = 15_000; // taking a picture in may take a while

class Refusal extends Error {}

async function api(path, body) {
  const address = `/api/v1/${path}`;
  const answer = await (body === undefined
    ? get(address, { patience: PATIENCE })
    : post(address, body, { patience: PATIENCE }));
  const result = await answer.json();
  if (answer.status >= 500) throw new Error(String(answer.status));
  if (!answer.ok) throw new Refusal(result.detail || String(answer.status));
  return result;
}

const lines = (list, texts) => {
  if ([...list.children].map((line) => line.textContent).join("\n") === texts.join("\n")) return; // read aloud once
  list.replaceChildren(...texts.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
};

function ninths({ width, height }, parts) {
  return parts.map((part) => {
    const [x, y] = [(part % 3) * (width / 3), Math.floor(part / 3) * (height / 3)];
    return shape("rect", { class: "wanted", x, y, width: width / 3, height: height / 3 });
  });
}

function drawn(marks, metrics) {
  const glare = metrics.glare.map(([x, y, width, height]) =>
    shape("rect", { class: "glare", x, y, width, height, rx: 8 }),
  );
  if (metrics.mat) return [...zones(marks, metrics.picture, metrics.mat.zones), ...glare];
  if (!metrics.corners) return glare;
  const r = 4 * scaleOf(marks, metrics.picture);
  const corners = metrics.corners.map(([cx, cy]) =>
    shape("circle", { class: metrics.taken ? "corner taken" : "corner", cx, cy, r }),
  );
  return [...ninths(metrics.picture, metrics.missing.parts), ...corners, ...glare];
}

const isSideRight = (step) => step.querySelector(".square input")?.validity.valid ?? true;

async function show(step, metrics) {
  const picture = step.querySelector(".check-picture");
  const marks = step.querySelector(".check-marks");
  const state = step.querySelector(".check-state");
  picture.hidden = !metrics.picture;
  state.hidden = Boolean(metrics.picture);
  if (!metrics.picture) {
    [state.textContent] = metrics.words.seen;
    marks.replaceChildren();
    return;
  }
  await load(picture, `/api/v1/camera/live.jpg?number=${metrics.picture.number}`);
  marks.setAttribute("viewBox", `0 0 ${metrics.picture.width} ${metrics.picture.height}`);
  marks.replaceChildren(...drawn(marks, metrics));
}

function say(step, metrics) {
  lines(step.querySelector(".seen"), metrics.picture ? metrics.words.seen : []);
  const result = step.id === "lens" ? metrics.fit : metrics.mat;
  results[step.id] = result ? JSON.stringify([result, metrics.views]) : null;
  if (!result) delete saved[step.id];
  step.querySelector("[data-keep]").disabled = !result || saved[step.id] === results[step.id] || !isSideRight(step);
  if (step.id !== "lens" || !metrics.picture) return;
  const progress = step.querySelector("[data-progress]");
  progress.textContent = progress.dataset.progress
    .replace("{count}", metrics.views)
    .replace("{most}", metrics.views + metrics.missing.views);
  Object.assign(step.querySelector("progress"), { value: metrics.views, max: metrics.views + metrics.missing.views });
  step.querySelector(".missing-box").hidden = !metrics.words.missing.length;
  lines(step.querySelector(".missing"), metrics.words.missing);
  const fit = step.querySelector(".fit");
  fit.hidden = !metrics.fit;
  fit.textContent = metrics.fit ? metrics.fit.words : "";
  step.querySelector(".fault").hidden = !metrics.fault;
}

// What was kept before, and what is kept now.
async function showKept() {
  const metrics = await api("calibration");
  kept = { lens: metrics.lens, table: metrics.mat };
  for (const id of ["lens", "table"]) {
    const line = document.querySelector(`#${id} .kept`);
    line.hidden = !kept[id] && !metrics.fault;
    line.textContent = kept[id]
      ? line.dataset.kept.replace("{words}", kept[id].words)
      : metrics.fault
        ? main.dataset.torn
        : "";
    document.querySelector(`[data-step-link="${id}"]`).classList.toggle("done", Boolean(kept[id]));
  }
  for (const button of document.querySelectorAll("[data-furnish]")) {
    button.setAttribute(
      "aria-pressed",
      String(Boolean(metrics.simulated?.[Object.keys(JSON.parse(button.dataset.furnish))[0]])),
    );
  }
}

function chosen() {
  const wish = location.hash.slice(1);
  const step = document.getElementById(wish)?.matches(".step") ? wish : "check";
  for (const part of document.querySelectorAll(".step")) part.hidden = part.id !== step;
  for (const link of document.querySelectorAll("[data-step-link]")) {
    if (link.dataset.stepLink === step) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
}

async function tapped(target) {
  const step = target.closest("[data-calibrate]");
  if (target.closest("[data-keep]")) {
    const result = results[step.id];
    await api(`calibration/${step.dataset.calibrate}/keep`, {});
    saved[step.id] = result;
    await showKept();
  } else if (target.closest("[data-anew]")) {
    const side = step.querySelector(".square input");
    if (side.reportValidity()) await api("calibration/lens", { square_mm: Number(side.value) });
  }
  const furnish = target.closest("[data-furnish]");
  if (!furnish) return;
  const there = furnish.getAttribute("aria-pressed") !== "true";
  await api("camera/simulated", JSON.parse(there ? furnish.dataset.furnish : furnish.dataset.otherwise));
  furnish.setAttribute("aria-pressed", String(there));
}

const trouble = (error) => {
  const step = document.querySelector(".step[data-calibrate]:not([hidden])");
  if (step) lines(step.querySelector(".seen"), [error instanceof Refusal ? error.message : main.dataset.lost]);
};

addEventListener("hashchange", chosen);
document.addEventListener("click", (event) => tapped(event.target).catch(trouble));
document.addEventListener("change", (event) => {
  // other squares: other corners
  if (event.target.matches(".square input")) document.querySelector("[data-anew]").click();
});
chosen();
showKept().catch(() => {});

let isRefused = false;

async function measure() {
  const step = document.querySelector(".step[data-calibrate]:not([hidden])");
  if (!step) return;
  isRefused = false;
  try {
    const metrics = await api(`calibration/${step.dataset.calibrate}/look`, {});
    await show(step, metrics);
    say(step, metrics);
  } catch (error) {
    trouble(error);
    isRefused = error instanceof Refusal;
    if (!isRefused) throw error;
  }
}

repeat(measure, () => (isRefused ? REFUSED : PAUSE));
