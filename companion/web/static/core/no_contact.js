// The page that is shown without contact: it looks again by itself, and goes back as soon as somebody answers.

const EVERY = 3_000; // milliseconds
let asking = false;

async function again() {
  if (asking) return;
  asking = true;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), EVERY);
  const answer = await fetch("/healthz", { cache: "no-store", signal: limit.signal }).catch(() => null);
  clearTimeout(timer);
  asking = false;
  if (answer?.ok) location.reload();
}

document.querySelector("button").addEventListener("click", again);
setInterval(again, EVERY);
