// Follow a table: read the event stream by hand, so that even its heartbeats show that the line is alive.

const PATIENCE = 12_000; // more than two heartbeats
const WAITS = [300, 1000, 2000, 4000];

export function follow(table, { onVersion, onSight, onContact }) {
  let last = "";
  let tries = 0;
  let stop = null;
  let watchdog = 0;
  let pause = 0;

  const alive = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => stop?.abort(), PATIENCE);
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
    stop = new AbortController();
    alive();
    try {
      const headers = { Accept: "text/event-stream" };
      if (last) headers["Last-Event-ID"] = last;
      const answer = await fetch(`/api/v1/tables/${table}/stream`, { headers, signal: stop.signal, cache: "no-store" });
      if (answer.status === 401) location.assign(`/login?next=${encodeURIComponent(location.pathname)}`);
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
    if (!document.hidden && tries > 0) now();
  });
  addEventListener("online", () => now());
  addEventListener("pagehide", () => stop?.abort());

  function now() {
    if (tries === 0) return;
    clearTimeout(pause);
    listen();
  }

  listen();
  return { now };
}
