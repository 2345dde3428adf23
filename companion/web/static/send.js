// Send what was tapped: once, with the version on screen, and say what came of it.

import { lost, refresh, said, table, version } from "./page.js";
import { randomKey } from "./random_key.js";
import { toast } from "./toast.js";

let busy = false;

async function posted(path, body, headers) {
  const request = () =>
    fetch(`/api/v1/tables/${table}/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout?.(8000),
    });
  try {
    return await request();
  } catch {
    return request(); // the same key: if the first one arrived, this only fetches its answer
  }
}

async function answered(answer) {
  if (answer.ok) return true;
  if (answer.status === 401) location.assign(`/login?next=${encodeURIComponent(location.pathname)}`);
  const problem = await answer.json().catch(() => ({}));
  if (answer.status === 409) toast(said.stale, true);
  else toast(problem.detail || said.odd, true, problem.rule ? problem : null);
  return false;
}

async function once(act) {
  if (busy) return false;
  if (lost()) {
    toast(said.unsent, true);
    return false;
  }
  busy = true;
  document.body.classList.add("busy");
  try {
    const done = await answered(await act());
    await refresh();
    return done;
  } catch {
    toast(said.unsure, true);
    return false;
  } finally {
    busy = false;
    document.body.classList.remove("busy");
  }
}

export const send = (command) =>
  once(() => posted("commands", command, { "If-Match": String(version()), "Idempotency-Key": randomKey() }));

// Ask somebody else to agree: as a command is sent, but to him.
export const askFor = (command) => once(() => posted("agreements", command, { "If-Match": String(version()) }));

export const post = (path, body) => once(() => posted(path, body, {}));

export const reply = (proposal, answer) => post(`proposals/${proposal}`, { answer });
