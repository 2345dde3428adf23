// Requests to the companion, the one place where pages make them.

import { late } from "./late.js";

const PATIENCE = 8_000; // milliseconds
const LEAVING = 10_000; // as long as the page that was asked for may take to come

let left = 0;

// Go to another page, or load this one again, and to no other meanwhile: late requests of a page that is left are
// those of a guest whose login has ended.
export function leave(address = "") {
  if (Date.now() - left < LEAVING) return;
  left = Date.now();
  if (address) location.assign(address);
  else location.reload();
}

// A key for a request, so that it counts once.  crypto.randomUUID needs a secure page.
export const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// A key that stays the same while the same is sent: sent again by hand, because its answer was lost, it counts once.
// What was answered and refused is sent under another key, for which it is decided anew: forget it by an empty text.
export function keyOf() {
  let [last, key] = ["", ""];
  return (text) => {
    if (text !== last) [last, key] = [text, randomKey()];
    return { "Idempotency-Key": key };
  };
}

// Whoever is no longer logged in is asked who he is, and comes back here.
function login(answer) {
  if (answer.status === 401) leave(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
  return answer;
}

// Every request has a limit, also where the browser knows no AbortSignal.timeout.
function within(patience) {
  if (AbortSignal.timeout) return AbortSignal.timeout(patience);
  const limit = new AbortController();
  setTimeout(() => limit.abort(), patience);
  return limit.signal;
}

/** @type {(address: string, more?: More) => Promise<Response>} */
export const get = (address, { patience = PATIENCE, ...more } = {}) =>
  fetch(address, { cache: "no-store", signal: within(patience), ...more }).then(login);

// Send a body of any type, once: what goes by another way does not count twice because it is no command.
/** @typedef {RequestInit & {patience?: number}} More */
/** @type {(address: string, body: BodyInit, type: string, more?: More) => Promise<Response>} */
export const sendBody = (address, body, type, { patience = PATIENCE, ...more } = {}) =>
  fetch(address, {
    method: "POST",
    headers: { "Content-Type": type },
    body,
    signal: within(patience),
    ...more,
  }).then(login);

// Send JSON, or a text of another type, with a key: sent again after a lost answer, it fetches that answer.  What
// cannot be kept just now is sent on for a while.
export async function post(address, body, { headers = {}, type = "application/json", patience = PATIENCE } = {}) {
  const given = { "Content-Type": type, "Idempotency-Key": randomKey(), ...headers };
  const payload = type === "application/json" ? JSON.stringify(body) : body;
  const request = () =>
    fetch(address, { method: "POST", headers: given, body: payload, signal: within(patience) }).then(login);
  const answer = await request().catch(request);
  if (answer.status !== 503) return answer;
  const { persist } = await late("./unkept.js").catch(() => ({ persist: () => answer }));
  return persist(answer, request);
}
