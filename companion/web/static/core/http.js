// Requests to the companion, the one place where pages make them.

const PATIENCE = 8_000; // milliseconds

// A key for a request, so that the same one sent twice counts once.  crypto.randomUUID needs a secure page; this does
// not.
export const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// Whoever is no longer logged in is asked who he is, and comes back here.
function known(answer) {
  if (answer.status === 401) location.assign(`/login?next=${encodeURIComponent(location.pathname)}`);
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
  fetch(address, { cache: "no-store", signal: within(patience), ...more }).then(known);

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
  }).then(known);

// Send JSON, or a text of a type of its own, with a key: what is sent again after a lost answer counts once, and the
// second request only fetches what the first one has led to.
export async function post(address, body, { headers = {}, type = "application/json", patience = PATIENCE } = {}) {
  const given = { "Content-Type": type, "Idempotency-Key": randomKey(), ...headers };
  const payload = type === "application/json" ? JSON.stringify(body) : body;
  const request = () =>
    fetch(address, { method: "POST", headers: given, body: payload, signal: within(patience) }).then(known);
  return request().catch(request);
}
