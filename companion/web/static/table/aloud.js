// Tones and spoken announcements, for people who look at the cards.  Fetched only where one of them was chosen.

import { kept } from "../core/cookies.js";

const on = { sounds: false, speech: false };
for (const name of Object.keys(on)) on[name] = kept(name);

// Notes: hertz, and when they begin, in seconds.
const READ = [
  [659, 0],
  [988, 0.09],
];
const REFUSED = [
  [233, 0],
  [185, 0.16],
];
// Something lost and something won, as the stage shows it.
const MOMENTS = {
  alarm: [
    [196, 0],
    [147, 0.22],
  ],
  joy: [
    [523, 0],
    [659, 0.12],
    [784, 0.24],
  ],
};
const LONG = 0.14;

let audio = null;

// Browsers let a page sound only once it was touched: until then a tone is left out, never kept for later.
function listenable() {
  audio ||= "AudioContext" in window ? new AudioContext() : null;
  if (audio?.state === "suspended") audio.resume().catch(() => {});
  return audio;
}

// Whether the browser lets this page be heard; some are started so that they ask for no touch.
export const ready = () => listenable()?.state === "running" || Boolean(navigator.userActivation?.hasBeenActive);

function tone(notes) {
  if (!on.sounds || !ready()) return;
  for (const [hertz, after] of notes) {
    const [note, loudness] = [
      new OscillatorNode(audio, { frequency: hertz, type: "triangle" }),
      new GainNode(audio, { gain: 0 }),
    ];
    const begin = audio.currentTime + after;
    loudness.gain.setValueAtTime(0, begin);
    loudness.gain.linearRampToValueAtTime(0.22, begin + 0.012);
    loudness.gain.exponentialRampToValueAtTime(0.001, begin + LONG);
    note.connect(loudness).connect(audio.destination);
    note.start(begin);
    note.stop(begin + LONG);
  }
}

function speak(text) {
  if ("heldBack" in document.documentElement.dataset) return; // the big screen says it first
  if (!on.speech || !text || document.hidden || !("speechSynthesis" in window)) return;
  const language = document.documentElement.lang;
  const words = new SpeechSynthesisUtterance(text.replace(/[\u00ad\u2068\u2069]/g, ""));
  words.lang = language;
  words.voice = speechSynthesis.getVoices().find((voice) => voice.lang.toLowerCase().startsWith(language)) || null;
  speechSynthesis.cancel(); // what was to be said before has passed
  speechSynthesis.speak(words);
}

// The words of a place, without the letters drawn on badges.
function wordsOf(selector) {
  const place = document.querySelector(selector)?.cloneNode(true);
  place?.querySelectorAll("svg, .unsaid, .unseen:not(.said)").forEach((part) => part.remove());
  return place ? place.textContent.replace(/\s+/g, " ").trim() : "";
}

// What has just happened, with its tone; the end has a tone even where its sentence alone is said.
function happened() {
  const news = document.getElementById("news");
  return news ? `${news.dataset.tone}: ${wordsOf("#news")}` : "";
}

const asked = () => document.querySelector("[data-proposal]")?.dataset.proposal;
const moment = () => ({
  proposal: asked(),
  reason: wordsOf("[data-proposal] .second"),
  phase: wordsOf(".phases .now .phase-name"),
  sentence: wordsOf("#sentence, .sentence"),
  stranger: wordsOf("#stranger"),
  news: happened(),
});

let before = moment();

function changed() {
  const now = moment();
  if (now.proposal && now.proposal !== before.proposal) {
    if (!document.querySelector("[data-proposal] [data-answer=yes]")) tone(REFUSED);
    speak([wordsOf("#proposal-title"), now.reason].filter(Boolean).join(". "));
  } else if (now.stranger && now.stranger !== before.stranger) {
    tone(REFUSED);
    speak(now.stranger);
  } else if (now.sentence !== before.sentence || now.phase !== before.phase) {
    if (now.news && now.news !== before.news) tone(MOMENTS[document.getElementById("news").dataset.tone] ?? []);
    speak(now.phase !== before.phase && now.phase ? `${now.phase}. ${now.sentence}` : now.sentence);
  }
  before = now;
}

new MutationObserver(changed).observe(document.getElementById("live"), {
  subtree: true,
  childList: true,
  characterData: true,
  attributeFilter: ["data-proposal"],
});
document.addEventListener("table:refused", (event) => {
  tone(REFUSED);
  speak(event.detail);
});
document.addEventListener("table:again", () => speak(moment().sentence));
// A tone for each card that leads to anything: at once, before the page has fetched what to show.
const readings = () => JSON.parse(document.getElementById("page").sight || "{}").readings;
let counted = readings();
document.addEventListener("table:sight", () => {
  const now = readings() ?? 0;
  if (now > (counted ?? now)) tone(READ); // the first count that comes is of cards that were read before
  counted = now;
});
for (const touched of ["pointerdown", "keydown"]) document.addEventListener(touched, listenable, { once: true });

// Let a choice be heard at once; false where this device cannot do it.
export function chosen(name, wished) {
  on[name] = wished;
  if (name === "sounds") {
    if (wished) tone(READ);
    return "AudioContext" in window;
  }
  if (wished) speak(before.sentence);
  else globalThis.speechSynthesis?.cancel();
  return "speechSynthesis" in window;
}
