// Send what was tapped: once, with the version on screen, and say what came of it.

import * as http from "./http.js";
import { lost, reach, refresh, said, table, version } from "./page.js";
import { toast } from "./toast.js";

const SHOWN = 5_000; // milliseconds until a page that cannot be brought up to date holds up no further tap
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

const posted = (path, body, headers = {}) => http.post(`/api/v1/tables/${table}/${path}`, body, { headers });

// Show what came of it: the version that the answer names, or whatever there is now.
async function show(answer) {
  const body = answer.ok
    ? await answer
        .clone()
        .json()
        .catch(() => ({}))
    : {};
  const seq = body.seq ?? body.entry?.seq;
  await (seq ? reach(seq) : refresh());
}

async function answered(answer) {
  if (answer.ok) return true;
  const problem = await answer.json().catch(() => ({}));
  if (answer.status === 409) toast(said.stale, true);
  else toast((answer.status !== 500 && problem.detail) || said.odd, true, problem.rule ? problem : null);
  return false;
}

// Tap by tap: which version was on the screen, and the end of its answer.
const out = new Set();

// A second tap on one page while an answer is out is ignored; once the page has moved on, it counts: the stream is
// often quicker than the answer.
const alone = (act) => ([...out].some((tap) => tap.version === version()) ? Promise.resolve(false) : carriedOut(act));

// What is scanned or ticked while an answer is out waits in line: it is no second tap, but the next thing.
/** @type {Promise<boolean | void>} */
let line = Promise.resolve();
function inLine(act) {
  line = line.then(async () => {
    while (out.size) await Promise.race([...out].map((tap) => tap.end));
    return carriedOut(act);
  });
  return line;
}

async function carriedOut(act) {
  if (lost()) {
    toast(said.unsent, true);
    return false;
  }
  let free;
  const tap = { version: version(), end: new Promise((done) => (free = done)) };
  out.add(tap);
  document.body.classList.add("busy");
  try {
    const answer = await act();
    const done = await answered(answer.clone());
    // The banner tells whoever waits longer; the tap is booked.
    await Promise.race([show(answer), sleep(SHOWN)]);
    return done;
  } catch {
    toast(said.unsure, true);
    return false;
  } finally {
    out.delete(tap);
    free();
    document.body.classList.toggle("busy", out.size > 0);
  }
}

export const send = (command) => alone(() => posted("commands", command, { "If-Match": String(version()) }));

// Ask somebody else to agree: as a command is sent, but to him.
export const askFor = (command) => alone(() => posted("agreements", command, { "If-Match": String(version()) }));

export const post = (path, body) => alone(() => posted(path, body));

export const postInLine = (path, body) => inLine(() => posted(path, body));

export const reply = (proposal, answer) => post(`proposals/${proposal}`, { answer });
