// The hall display: its pages one after the other; on a phone, where one scrolls, all tables below each other.

import { children } from "../core/morph.js";
import { get } from "../core/http.js";

const EVERY_MS = 10_000;
const hall = document.getElementById("hall");
const small = matchMedia("(max-width: 56.25em)");
let page = 0;

async function turn() {
  const pages = Number(hall.querySelector("[data-pages]").dataset.pages);
  const next = (page + 1) % pages;
  const which = small.matches ? "" : `&page=${next}`;
  const answer = await get(`${location.pathname}?part=tables${which}`);
  if (!answer.ok) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  children(hall, fresh.content);
  page = next;
}

// One question after the other; a network that fails now may not in a moment.
function again(after) {
  setTimeout(
    () =>
      turn()
        .catch(() => {})
        .finally(() => again(EVERY_MS)),
    after,
  );
}
again(small.matches ? 0 : EVERY_MS);
