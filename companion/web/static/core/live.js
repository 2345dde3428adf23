// Follow a table.  Browsers open six connections to one address, so the tabs of one device share a line: of those that
// show one table to one person, the latest keeps it and tells the others; if it falls silent, another takes over.  Of
// many tables the first few have a stream, the others ask every few seconds.

import { line } from "./line.js";

const ANSWER = 120; // milliseconds in which a tab that keeps the line says so
const SILENCE = 13_000; // longer than the tab that keeps the line needs to notice that it is dead
const BEAT = 6_000;
const TELLS = 1_500;
const STREAMS = 3; // so that half of the connections stay for pages, taps and pictures

export function follow(table, viewer, { onVersion, onSight, onContact, onPolls }) {
  const channel = new BroadcastChannel("companion.lines");
  const me = crypto.getRandomValues(new Uint32Array(2)).join("-");
  const key = `${table} ${viewer}`;
  const others = new Map(); // the lines of other tables on this device: since when, and when last heard of
  const known = { version: null, sight: null, contact: null, polls: false };
  let mine = null;
  let since = 0;
  let streams = false;
  let toldAt = 0;
  let leader = "";
  let heard = 0;
  let timer = 0;

  const say = (kind, more = {}) => channel.postMessage({ kind, key, from: me, since, streams, ...more });
  const tellAll = () => {
    toldAt = Date.now();
    say("lead", { known });
  };

  function learn(news) {
    const before = { ...known };
    Object.assign(known, news);
    if (known.version !== null && known.version !== before.version) onVersion(known.version);
    if (known.sight !== null && known.sight !== before.sight) onSight(known.sight);
    if (known.polls !== before.polls) onPolls(known.polls);
    if ("contact" in news && (known.contact !== before.contact || known.contact === null)) onContact(known.contact);
  }

  const spread = (news) => {
    learn(news);
    tellAll();
  };

  // Whether so few others began before this line that a connection is left for it.
  function mayStream() {
    const present = [...others.values()].filter(({ at }) => Date.now() - at < SILENCE);
    streams = present.filter((other) => other.streams && elder(other, { since, from: me })).length < STREAMS;
    return streams;
  }

  function lead() {
    leader = "";
    since = Date.now();
    mine?.end();
    streams = mayStream();
    tellAll();
    mine = line(table, {
      onVersion: (version) => spread({ version }),
      onSight: (sight) => spread({ sight }),
      onContact: (contact) => spread({ contact }),
      onPolls: (polls) => polls !== known.polls && spread({ polls }),
      onAlive: () => Date.now() - toldAt > TELLS && tellAll(),
      mayStream,
    });
  }

  function begin() {
    clearTimeout(timer);
    say("ask");
    timer = setTimeout(lead, ANSWER * (1 + Math.random()));
  }

  function followed({ from, known: news }) {
    mine?.end();
    mine = null;
    streams = false;
    leader = from;
    heard = Date.now();
    clearTimeout(timer);
    timer = setTimeout(begin, SILENCE);
    if (news) learn(news);
  }

  function fromOwn(message) {
    if (message.kind === "ask") {
      if (mine) tellAll();
    } else if (message.kind === "lead") {
      // Who begins later has asked, and nobody answered: the line of the elder is slow, or asleep.
      if (!mine || elder({ since, from: me }, message)) followed(message);
      else tellAll();
    } else if (message.kind === "gone") {
      if (message.from === leader) begin();
    } else if (message.kind === "now") mine?.now();
  }

  function fromOthers({ kind, key: theirs, ...other }) {
    if (kind === "gone") others.delete(theirs);
    else if (kind === "lead") others.set(theirs, { ...other, at: Date.now() });
    if (!mine || !streams || mayStream()) return;
    mine.renew();
    tellAll();
  }

  channel.addEventListener("message", ({ data }) => (data.key === key ? fromOwn(data) : fromOthers(data)));

  function now() {
    if (mine) mine.now();
    else if (Date.now() - heard > BEAT) begin();
    else say("now");
  }

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) now();
  });
  addEventListener("online", () => now());
  addEventListener("pagehide", () => {
    if (!mine) return;
    say("gone");
    mine.renew();
  });

  begin();
  return { now };
}

const elder = (line, other) => line.since < other.since || (line.since === other.since && line.from < other.from);
