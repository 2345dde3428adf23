// The hall display: its pages one after the other; on a phone, where one scrolls, all tables below each other.

import { children } from "../core/morph.js";
import { get, leave } from "../core/http.js";

const EVERY_MS = 10_000;
const PHONE_MS = 30_000; // of many, which ask at different moments
const ENDED = 404;
const hall = document.getElementById("hall");
const small = matchMedia("(max-width: 56.25em)");
let page = 0;

async function turn() {
  const pages = Number(hall.querySelector("[data-pages]").dataset.pages);
  const next = (page + 1) % pages;
  const which = small.matches ? "" : `&page=${next}`;
  const answer = await get(`${location.pathname}?part=tables${which}`);
  if (answer.status === ENDED) leave(small.matches ? "" : "/tv"); // everybody was logged out
  if (!answer.ok) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  children(hall, fresh.content);
  page = next;
}

const pause = () => (small.matches ? PHONE_MS * (0.75 + Math.random() / 2) : EVERY_MS);

// Resolves once somebody can see the page.
/** @type {() => Promise<void>} */
const seen = () =>
  new Promise((resolve) => {
    if (document.hidden) document.addEventListener("visibilitychange", () => resolve(), { once: true });
    else resolve();
  });

// One question after the other; a network that fails now may not in a moment.
function again(after) {
  setTimeout(
    () =>
      seen()
        .then(turn)
        .catch(() => {})
        .finally(() => again(pause())),
    after,
  );
}
again(small.matches ? 0 : EVERY_MS);
