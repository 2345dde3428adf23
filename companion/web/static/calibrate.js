// Calibrating step by step.  One step is in view; it takes in a frame, says what it showed, and asks for the next.

import { shape } from "./camera_check.js";
import { get, post } from "./http.js";
import { scaleOf, zones } from "./zones_drawn.js";

const PAUSE = 250;
let kept = {};
const main = document.querySelector(".calibrate-main");
const PATIENCE = 15_000; // taking a picture in may take a while

async function api(path, body) {
  const address = `/api/v1/${path}`;
  const answer = await (body === undefined
    ? get(address, { patience: PATIENCE })
    : post(address, body, { patience: PATIENCE }));
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.detail || String(answer.status));
  return told;
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

function drawn(marks, told) {
  const glare = told.glare.map(([x, y, width, height]) =>
    shape("rect", { class: "glare", x, y, width, height, rx: 8 }),
  );
  if (told.mat) return [...zones(marks, told.picture, told.mat.zones), ...glare];
  if (!told.corners) return glare;
  const r = 4 * scaleOf(marks, told.picture);
  const corners = told.corners.map(([cx, cy]) =>
    shape("circle", { class: told.taken ? "corner taken" : "corner", cx, cy, r }),
  );
  return [...ninths(told.picture, told.missing.parts), ...corners, ...glare];
}

async function show(step, told) {
  const picture = step.querySelector(".check-picture");
  const marks = step.querySelector(".check-marks");
  const state = step.querySelector(".check-state");
  picture.hidden = !told.picture;
  state.hidden = Boolean(told.picture);
  if (!told.picture) {
    [state.textContent] = told.words.seen;
    marks.replaceChildren();
    return;
  }
  picture.src = `/api/v1/camera/live.jpg?number=${told.picture.number}`;
  await picture.decode().catch(() => {});
  marks.setAttribute("viewBox", `0 0 ${told.picture.width} ${told.picture.height}`);
  marks.replaceChildren(...drawn(marks, told));
}

function say(step, told) {
  lines(step.querySelector(".seen"), told.picture ? told.words.seen : []);
  const found = step.id === "lens" ? told.fit : told.mat;
  step.querySelector("[data-keep]").disabled = !found || (kept[step.id] && kept[step.id].words === found.words);
  if (step.id !== "lens" || !told.picture) return;
  const progress = step.querySelector("[data-progress]");
  progress.textContent = progress.dataset.progress
    .replace("{count}", told.views)
    .replace("{most}", told.views + told.missing.views);
  Object.assign(step.querySelector("progress"), { value: told.views, max: told.views + told.missing.views });
  step.querySelector(".missing-box").hidden = !told.words.missing.length;
  lines(step.querySelector(".missing"), told.words.missing);
  const fit = step.querySelector(".fit");
  fit.hidden = !told.fit;
  fit.textContent = told.fit ? told.fit.words : "";
  step.querySelector(".fault").hidden = !told.fault;
}

// What was kept before, and what is kept now.
async function known() {
  const told = await api("calibration");
  kept = { lens: told.lens, table: told.mat };
  for (const id of ["lens", "table"]) {
    const line = document.querySelector(`#${id} .kept`);
    line.hidden = !kept[id] && !told.fault;
    line.textContent = kept[id]
      ? line.dataset.kept.replace("{words}", kept[id].words)
      : told.fault
        ? main.dataset.torn
        : "";
    document.querySelector(`[data-step-link="${id}"]`).classList.toggle("done", Boolean(kept[id]));
  }
  for (const button of document.querySelectorAll("[data-furnish]")) {
    button.setAttribute(
      "aria-pressed",
      String(Boolean(told.simulated?.[Object.keys(JSON.parse(button.dataset.furnish))[0]])),
    );
  }
}

function chosen() {
  const wish = location.hash.slice(1);
  const step = document.getElementById(wish)?.matches(".step") ? wish : "check";
  for (const one of document.querySelectorAll(".step")) one.hidden = one.id !== step;
  for (const link of document.querySelectorAll("[data-step-link]")) {
    if (link.dataset.stepLink === step) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
}

async function tapped(target) {
  const step = target.closest("[data-calibrate]");
  if (target.closest("[data-keep]")) {
    await api(`calibration/${step.dataset.calibrate}/keep`, {});
    await known();
  } else if (target.closest("[data-anew]")) {
    const side = Number(step.querySelector("input").value);
    await api("calibration/lens", side >= 5 && side <= 200 ? { square_mm: side } : {});
  }
  const furnish = target.closest("[data-furnish]");
  if (!furnish) return;
  const there = furnish.getAttribute("aria-pressed") !== "true";
  await api("camera/simulated", JSON.parse(there ? furnish.dataset.furnish : furnish.dataset.otherwise));
  furnish.setAttribute("aria-pressed", String(there));
}

const trouble = (error) => {
  const step = document.querySelector(".step[data-calibrate]:not([hidden])");
  if (step) lines(step.querySelector(".seen"), [error.name === "Error" ? error.message : main.dataset.lost]);
};

addEventListener("hashchange", chosen);
document.addEventListener("click", (event) => tapped(event.target).catch(trouble));
document.addEventListener("change", (event) => {
  // other squares: other corners
  if (event.target.matches(".square input")) document.querySelector("[data-anew]").click();
});
chosen();
known().catch(() => {});

(async () => {
  for (;;) {
    const step = document.hidden ? null : document.querySelector(".step[data-calibrate]:not([hidden])");
    try {
      if (step) {
        const told = await api(`calibration/${step.dataset.calibrate}/look`, {});
        await show(step, told);
        say(step, told);
      }
    } catch (error) {
      trouble(error);
    }
    await new Promise((done) => setTimeout(done, PAUSE));
  }
})();
