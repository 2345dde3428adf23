// The page that is shown without contact: it looks again by itself, and goes back as soon as somebody answers.

// Milliseconds, more or less: all devices of a table lost contact at the same moment.
const [FIRST, LONGEST, LIMIT] = [2_000, 10_000, 3_000];
const LEAVING = 20_000; // as long as the page that is asked for may take to come
let busy = false;
let left = -LEAVING;

async function again() {
  if (busy) return;
  busy = true;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), LIMIT);
  const answer = await fetch("/healthz", { cache: "no-store", signal: limit.signal }).catch(() => null);
  clearTimeout(timer);
  busy = false;
  if (!answer?.ok || performance.now() - left < LEAVING) return;
  left = performance.now();
  location.reload();
}

document.querySelector("button").addEventListener("click", again);
addEventListener("online", again);
(function later(tries) {
  const wait = Math.min(LONGEST, FIRST * 1.5 ** tries) * (0.5 + Math.random());
  setTimeout(() => again().then(() => later(tries + 1)), wait);
})(0);
