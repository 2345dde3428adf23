// What cannot be kept for the moment is sent again with its key, so that it counts once: the database is away, or the
// journal busy.  The page says meanwhile that it is kept nowhere yet, and keeps what is shown and written.

import { pause } from "./again.js";

const PATIENCE = 120_000; // milliseconds from the first answer to the last try
const LONGEST = 8_000; // from one try to the next
const PASSING = [502, 503, 504];

const waiting = new Map();
const line = Object.assign(document.createElement("p"), { className: "unkept", role: "status" });
line.dataset.stays = "";
/** @type {HTMLElement | null} */
let style = null;

function tell() {
  const [words] = waiting.values();
  line.hidden = !words;
  if (!words) return;
  if (!style) {
    const href = new URL("unkept.css", import.meta.url).href;
    style = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    document.head.append(style);
  }
  // A dialog covers the page: the line has to lie on top of it.
  const place = document.querySelector("dialog[open]") || document.body;
  if (line.parentElement !== place) place.append(line);
  if (line.textContent !== words) line.textContent = words;
}

/** Read an answer to its end: its request is broken off in time, and somebody may want its words much later.
 * @type {(answer: Response) => Promise<Response>} */
async function keepText(answer) {
  const { status, headers } = answer;
  return new Response(await answer.text().catch(() => ""), { status, headers });
}

/** Try until it is kept or refused; after two minutes the refusal stands.  Throws where the last try had no answer
 * that says so: it may be kept all the same.
 * @type {(answer: Response, request: () => Promise<Response>) => Promise<Response>} */
export async function persist(answer, request) {
  let refusal = await keepText(answer);
  const { meanwhile } = await refusal
    .clone()
    .json()
    .catch(() => ({}));
  if (!meanwhile) return refusal;
  const end = Date.now() + PATIENCE;
  const tap = {};
  let isKnown = true;
  waiting.set(tap, meanwhile);
  try {
    for (let tries = 1; ; tries += 1) {
      tell();
      const wait = pause(tries, LONGEST);
      if (Date.now() + wait > end && !isKnown) throw new TypeError("no answer");
      if (Date.now() + wait > end) return refusal;
      await new Promise((done) => setTimeout(done, wait));
      const next = await request().catch(() => null); // no contact, for a moment
      if (next && !PASSING.includes(next.status)) return next;
      isKnown = next?.status === 503;
      if (isKnown) refusal = await keepText(next);
    }
  } finally {
    waiting.delete(tap);
    tell();
  }
}
