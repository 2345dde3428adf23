// The page that is shown without contact: it looks again by itself, and goes back as soon as somebody answers.

const EVERY = 3_000; // milliseconds, more or less: all devices of a table lost contact at the same moment
const LEAVING = 20_000; // as long as the page that is asked for may take to come
let busy = false;
let left = -LEAVING;

async function again() {
  if (busy) return;
  busy = true;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), EVERY);
  const answer = await fetch("/healthz", { cache: "no-store", signal: limit.signal }).catch(() => null);
  clearTimeout(timer);
  busy = false;
  if (!answer?.ok || performance.now() - left < LEAVING) return;
  left = performance.now();
  location.reload();
}

document.querySelector("button").addEventListener("click", again);
(function later() {
  setTimeout(() => again().then(later), EVERY * (0.5 + Math.random()));
})();
