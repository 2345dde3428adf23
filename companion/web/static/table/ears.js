// Tones and announcements on the big screen.  Browsers let a page be heard only after one tap or key, so it says
// when it waits for that.

import "./choices.js";
import { kept } from "../core/cookies.js";
import { surely } from "../core/late.js";
import { said } from "../core/page.js";
import { toast } from "../core/toast.js";

const ears = () => [...document.querySelectorAll(".ear")];
let aloud = null;

function show() {
  const waits = !aloud?.ready();
  for (const ear of ears()) {
    const [wished, { on, off, waiting, choice }] = [kept(ear.dataset.choice), ear.dataset];
    ear.setAttribute("aria-pressed", String(kept(choice)));
    ear.classList.toggle("waits", wished && waits);
    ear.querySelector("small").textContent = !wished ? off : waits ? waiting : on;
  }
  return waits && ears().some((ear) => kept(ear.dataset.choice));
}

// Part of the page is drawn for all screens alike: what this one chose is put in after each change.
document.addEventListener("table:shown", show);
document.addEventListener(
  "click",
  (event) => {
    if (event.target.closest(".ear.waits")) event.stopPropagation(); // it was not to be switched off, but to be heard
    setTimeout(show, 150);
  },
  true,
);
document.addEventListener("keydown", () => setTimeout(show, 150));

// Nothing can be heard before the tones have come: on a bad network they are asked for again.
async function fetchTones() {
  aloud ||= await surely("/static/table/aloud.js");
  return show();
}

show();
// Not waited for: the module of the big screen, which imports this one, shows the buttons.
if (ears().some((ear) => kept(ear.dataset.choice))) fetchTones().then((waits) => waits && toast(said.waits));
else document.addEventListener("click", fetchTones, { once: true });
