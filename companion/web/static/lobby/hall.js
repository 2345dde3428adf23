// The hall display: its pages one after the other; on a phone, where one scrolls, all tables below each other.

import { children } from "../core/morph.js";
import { get, leave } from "../core/http.js";
import { repeat } from "../core/repeat.js";

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
  if (!answer.ok) throw new Error(String(answer.status));
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  children(hall, fresh.content);
  page = next;
}

repeat(turn, () => (small.matches ? PHONE_MS * (0.75 + Math.random() / 2) : EVERY_MS), small.matches ? 0 : EVERY_MS);
