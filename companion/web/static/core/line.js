// One line to the companion: the event stream of a table, read by hand, because its heartbeats show that it lives.
// Where no stream comes through, the line asks every few seconds instead.

import { pause, waiting } from "./again.js";
import { leave } from "./http.js";
import { surely } from "./late.js";

const PATIENCE = 11_000; // more than two heartbeats
const CALL = 4_000; // for a call once the line was lost
const BEAT = 6_000; // as long as a line that is alive may be silent
const EVERY = 3_000; // from one question to the next where no stream comes through
const STREAM_AGAIN = 30_000; // and until a stream is tried again

class Refusal extends Error {}

export function line(table, { onVersion, onSight, onContact, onPolls, onAlive, mayStream }) {
  let last = "";
  let sight = "";
  let tries = 0;
  let stop = null;
  let watchdog = 0;
  let heard = Date.now();
  let ended = false;
  let waits = false;
  let pollsUntil = 0;
  const pauses = waiting();

  const alive = (patience = PATIENCE) => {
    heard = Date.now();
    clearTimeout(watchdog);
    watchdog = setTimeout(() => stop?.abort(), patience);
  };

  const take = (block) => {
    let kind = "message";
    const data = [];
    for (const row of block.split("\n")) {
      const cut = row.indexOf(":");
      const name = cut < 0 ? row : row.slice(0, cut);
      const value = cut < 0 ? "" : row.slice(cut + 1).replace(/^ /, "");
      if (name === "event") kind = value;
      else if (name === "id") last = value;
      else if (name === "data") data.push(value);
    }
    if (!data.length) return;
    if (kind === "version") onVersion(last);
    else if (kind === "stirred") {
      const { signal } = stop;
      surely("/static/core/stirred.js").then(({ ask }) => ask(data[0], signal, (mine) => call(false, mine).then(read)));
    } else if (kind === "sight" && data.join("\n") !== sight) {
      sight = data.join("\n");
      onSight(sight);
    }
  };

  async function call(streams, signal = stop.signal) {
    const headers = { Accept: "text/event-stream" };
    if (last) headers["Last-Event-ID"] = last;
    const answer = await fetch(`/api/v1/tables/${table}/stream?data=version${streams ? "" : "&once=1"}`, {
      headers,
      signal,
      cache: "no-store",
    });
    if (answer.status === 401) leave(`/login?next=${encodeURIComponent(location.pathname)}`);
    if (answer.status === 403 || answer.status === 404) leave(); // the page says where to go from here
    if (!answer.ok) throw new Refusal(String(answer.status));
    return answer;
  }

  async function read(answer, onBytes = () => {}) {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      onBytes();
      rest += value.replaceAll("\r\n", "\n");
      const blocks = rest.split("\n\n");
      rest = blocks.pop();
      blocks.forEach(take);
    }
  }

  // One stream, until it breaks.  The first bytes show that streams come through.
  async function stream() {
    let came = false;
    const mine = new AbortController();
    stop = mine;
    alive(tries ? CALL : PATIENCE);
    try {
      const answer = await call(true);
      await read(answer, () => {
        alive();
        onAlive();
        if (came) return;
        came = true;
        tries = 0;
        onPolls(false);
        onContact(true);
      });
    } catch (fault) {
      // A stream that gave nothing may be what does not come through here.
      if (!came && (fault instanceof Refusal || mine.signal.aborted)) pollsUntil = Date.now() + STREAM_AGAIN;
      if (fault instanceof Refusal) return;
    }
    clearTimeout(watchdog);
    if (ended) return;
    if (tries > 0 || !document.hidden) onContact(tries === 0 ? null : false);
    tries += 1;
    await rest(pause(tries - 1));
  }

  async function poll() {
    stop = new AbortController();
    alive(CALL);
    try {
      await read(await call(false));
      tries = 0;
      onAlive();
      onPolls(true);
      onContact(true);
    } catch {
      pollsUntil = 0; // as soon as anything comes through, a stream may
      if (!ended) onContact(tries === 0 ? null : false);
      tries += 1;
    }
    clearTimeout(watchdog);
    await rest(tries ? pause(tries - 1) : EVERY);
  }

  async function rest(ms) {
    waits = true;
    await pauses.wait(ms);
    waits = false;
  }

  (async () => {
    while (!ended) await (Date.now() >= pollsUntil && mayStream() ? stream() : poll());
  })();

  return {
    // Try at once, if it is waiting to try again; a line that has said nothing for longer than a heartbeat died in
    // its sleep.
    now() {
      if (waits) {
        pollsUntil = 0;
        pauses.cut();
      } else if (Date.now() - heard > BEAT) stop.abort();
    },
    // Let go of what is open, and begin again: as a stream, if it still may.
    renew: () => stop?.abort(),
    end() {
      ended = true;
      clearTimeout(watchdog);
      stop?.abort();
      pauses.cut();
    },
  };
}
