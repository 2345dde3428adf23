// This device's camera: a picture about three times a second for as long as its sheet is open, and what is seen in it.

import { pause } from "../core/again.js";
import { lost, table } from "../core/page.js";
import { randomKey, sendBody } from "../core/http.js";
import { sheet } from "../core/sheet.js";

const EVERY = 300;
const LONGEST_SIDE = 1280;
const WISH = { width: { ideal: 1280 }, height: { ideal: 720 }, facingMode: { ideal: "environment" } };

const place = (id) => sheet.querySelector(`#${id}`);
const words = () => place("device").dataset;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const still = document.createElement("canvas");

let turn = 0;
let stream = null;

// Several tabs of one browser are several cameras.
function name() {
  try {
    if (!sessionStorage.device) sessionStorage.device = randomKey().slice(0, 12);
    return sessionStorage.device;
  } catch {
    return "tab";
  }
}

function say(what, trouble = false) {
  const line = place("device-state");
  if (!line) return;
  line.textContent = what;
  line.classList.toggle("refusal", trouble);
}

function why(error) {
  if (error.name === "NotAllowedError") return words().denied;
  return error.name === "NotFoundError" || error.name === "OverconstrainedError" ? words().missing : words().broken;
}

export function stop() {
  turn += 1;
  stream?.getTracks().forEach((track) => track.stop());
  stream = null;
}

export async function begin() {
  stop();
  const mine = turn;
  if (!isSecureContext || !navigator.mediaDevices?.getUserMedia) {
    say(words().insecure, true);
    place("device-trust").hidden = false;
    return;
  }
  let got;
  try {
    got = await navigator.mediaDevices.getUserMedia({ video: WISH, audio: false });
  } catch (error) {
    if (mine === turn) say(why(error), true);
    return;
  }
  if (mine !== turn) {
    got.getTracks().forEach((track) => track.stop()); // closed while the browser was asking
    return;
  }
  stream = got;
  const film = place("device-film");
  film.srcObject = stream;
  film.hidden = false;
  stream.getVideoTracks()[0].addEventListener("ended", () => mine === turn && say(words().broken, true));
  await film.play().catch(() => {});
  say(words().show);
  for (let failures = 0; mine === turn;) {
    if (!place("device")) stop(); // another sheet has come in its place
    if (mine !== turn) return;
    const begun = performance.now();
    if (film.videoWidth && !document.hidden && !lost()) failures = (await shown(film, mine)) ? 0 : failures + 1;
    await sleep(failures ? pause(failures) : Math.max(30, EVERY - (performance.now() - begun)));
  }
}

// Show the server a picture; return whether it took it in.
async function shown(film, mine) {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(film.videoWidth, film.videoHeight));
  still.width = Math.round(film.videoWidth * scale);
  still.height = Math.round(film.videoHeight * scale);
  still.getContext("2d").drawImage(film, 0, 0, still.width, still.height);
  const body = await new Promise((done) => still.toBlob(done, "image/jpeg", 0.85));
  if (!body || mine !== turn) return true;
  try {
    const answer = await sendBody(`/api/v1/tables/${table}/frames?device=${name()}`, body, "image/jpeg");
    if (answer.status === 503) return false; // busy: the next picture comes soon
    if (!answer.ok) throw new Error(String(answer.status));
    const sighting = await answer.json();
    if (mine === turn) tell(sighting);
    return true;
  } catch {
    if (mine === turn && place("device")) say(words().unsent, true);
    return false;
  }
}

function tell(sighting) {
  if (!place("device")) return;
  say(sighting.tags.length ? words().seen : words().show);
  mark(sighting);
  const asked = new Set(sighting.proposals.map(({ tag }) => tag));
  place("device-seen").replaceChildren(
    ...sighting.tags.map((tag) => {
      const line = document.createElement("li");
      const card = Object.assign(document.createElement("b"), { textContent: tag.card });
      const seen = asked.has(tag.text) ? words().asked : words().read;
      const means = tag.refusal?.detail || (tag.placed ? seen : words().hold);
      line.append(card, Object.assign(document.createElement("span"), { textContent: means }));
      return line;
    }),
  );
}

function mark({ width, height, tags }) {
  const marks = place("device-marks");
  Object.assign(marks, { width, height });
  const pen = marks.getContext("2d");
  pen.lineWidth = Math.max(3, width / 200);
  pen.strokeStyle = "#ffb300";
  for (const { corners } of tags) {
    pen.beginPath();
    corners.forEach(([x, y]) => pen.lineTo(x, y));
    pen.closePath();
    pen.stroke();
  }
}

sheet.addEventListener("close", stop);
addEventListener("pagehide", stop);
