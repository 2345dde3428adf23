// Follow a table: read the event stream by hand, so that even its heartbeats show that the line is alive.

const PATIENCE = 11_000; // more than two heartbeats
const CALL = 4_000; // as long as a call may go unanswered once the line was lost
const BEAT = 6_000; // as long as a line that is alive may be silent
const WAITS = [300, 1000, 2000, 4000];

export function follow(table, { onVersion, onSight, onContact }) {
  let last = "";
  let tries = 0;
  let stop = null;
  let watchdog = 0;
  let pause = 0;

  let heard = 0;

  const alive = (patience = PATIENCE) => {
    heard = Date.now();
    clearTimeout(watchdog);
    watchdog = setTimeout(() => stop?.abort(), patience);
  };

  const took = (block) => {
    let kind = "message";
    const data = [];
    for (const line of block.split("\n")) {
      const cut = line.indexOf(":");
      const name = cut < 0 ? line : line.slice(0, cut);
      const value = cut < 0 ? "" : line.slice(cut + 1).replace(/^ /, "");
      if (name === "event") kind = value;
      else if (name === "id") last = value;
      else if (name === "data") data.push(value);
    }
    if (!data.length) return;
    if (kind === "version") onVersion(last);
    else if (kind === "sight") onSight(data.join("\n"));
  };

  async function listen() {
    pause = 0;
    stop = new AbortController();
    alive(tries ? CALL : PATIENCE);
    try {
      const headers = { Accept: "text/event-stream" };
      if (last) headers["Last-Event-ID"] = last;
      const answer = await fetch(`/api/v1/tables/${table}/stream?data=version`, {
        headers,
        signal: stop.signal,
        cache: "no-store",
      });
      if (answer.status === 401) location.assign(`/login?next=${encodeURIComponent(location.pathname)}`);
      if (answer.status === 403 || answer.status === 404) location.reload(); // the page says where to go from here
      if (!answer.ok) throw new Error(String(answer.status));
      tries = 0;
      onContact(true);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        alive();
        rest += value.replaceAll("\r\n", "\n");
        const blocks = rest.split("\n\n");
        rest = blocks.pop();
        blocks.forEach(took);
      }
    } catch {
      // Whatever broke the line, the answer is the same: say so and try again.
    }
    clearTimeout(watchdog);
    if (tries > 0 || !document.hidden) onContact(tries === 0 ? null : false);
    const wait = WAITS[Math.min(tries, WAITS.length - 1)];
    tries += 1;
    pause = setTimeout(listen, wait);
  }

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) now();
  });
  addEventListener("online", () => now());
  addEventListener("pagehide", () => stop?.abort());

  // Try at once, if it is waiting to try again; a line that has said nothing for longer than a heartbeat died in
  // its sleep.
  function now() {
    if (pause) {
      clearTimeout(pause);
      listen();
    } else if (Date.now() - heard > BEAT) stop.abort();
  }

  listen();
  return { now };
}
