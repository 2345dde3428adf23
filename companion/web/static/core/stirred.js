// In a hall the stream comes from a gateway, which tells versions, and of all else only that it has changed: the app is
// asked what.  Pages that come back all at once do so at moments of their own.

import { pause } from "./again.js";

const PATIENCE = 4_000; // milliseconds for an answer

// `stream`: the signal that ends the stream, and with it what is asked for it.
export function ask(data, stream, read) {
  let tries = 0;
  async function soon() {
    if (stream.aborted) return;
    const limit = new AbortController();
    const cut = () => limit.abort();
    const timer = setTimeout(cut, PATIENCE);
    stream.addEventListener("abort", cut);
    try {
      await read(limit.signal);
    } catch {
      setTimeout(soon, pause(tries++));
    } finally {
      clearTimeout(timer);
      stream.removeEventListener("abort", cut);
    }
  }
  setTimeout(soon, Math.random() * JSON.parse(data).within);
}
