// The hall display: its pages one after the other; on a phone, where one scrolls, all tables below each other.

import { children } from "../core/morph.js";
import { get, leave } from "../core/http.js";
import { repeat } from "../core/repeat.js";

const [SHORTEST_MS, LONGEST_MS] = [5_000, 10_000]; // for one page
const ROUND_MS = 180_000; // for all pages, where that leaves time to read them
const PHONE_MS = 30_000; // of many, which ask at different moments
const ENDED = 404;
const hall = document.getElementById("hall");
const small = matchMedia("(max-width: 56.25em)");
let page = 0;

const pages = () => Number(hall.querySelector("[data-pages]").dataset.pages);

function pauseMs() {
  if (small.matches) return PHONE_MS * (0.75 + Math.random() / 2);
  return Math.max(SHORTEST_MS, Math.min(LONGEST_MS, ROUND_MS / pages()));
}

async function turn() {
  const next = (page + 1) % pages();
  const which = small.matches ? "" : `&page=${next}`;
  const answer = await get(`${location.pathname}?part=tables${which}`);
  if (answer.status === ENDED) leave(small.matches ? "" : "/tv"); // everybody was logged out
  if (!answer.ok) throw new Error(String(answer.status));
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  children(hall, fresh.content);
  page = next;
}

repeat(turn, pauseMs, small.matches ? 0 : pauseMs());
