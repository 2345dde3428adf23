// The picture of the card that is asked for: taken under the camera, by itself if so wished, or sent from here.

import { get, post, sendBody } from "../core/http.js";
import { repeat } from "../core/repeat.js";

const main = document.getElementById("teach");
const { box } = main.dataset;
const BETWEEN_MS = 1500;
const WISH = "teach.photos";

const place = () => main.querySelector("[data-photo]");
const card = () => main.querySelector(".teach-card").dataset.card;
const address = () => `/api/v1/boxes/${box}/cards/${encodeURIComponent(card())}/picture`;

function wrong(words) {
  const line = place()?.querySelector(".wrong");
  if (!line) return;
  line.textContent = words;
  line.hidden = !words;
}

async function refresh() {
  const asked = card();
  const answer = await get(`/boxes/${box}/cards/${encodeURIComponent(asked)}/photo`);
  if (!answer.ok || asked !== card()) return;
  place().outerHTML = await answer.text();
  wished();
}

async function showAnswer(answer) {
  if (answer.ok) return refresh();
  const problem = await answer.json().catch(() => ({}));
  return wrong(place().dataset[problem.why] || problem.detail || main.dataset.lost);
}

function act(what) {
  if (what === "place") return post("/api/v1/camera/place", {});
  if (what === "forget") return sendBody(address(), "", "application/json", { method: "DELETE" });
  return post(address(), { do: what });
}

let wish = "";
try {
  wish = sessionStorage.getItem(WISH) || "";
} catch {
  // nothing is kept in this browser
}

function wished() {
  const tick = place()?.querySelector("[data-photo-auto]");
  if (tick) tick.checked = wish === "yes";
}

// What lies there anew is the card that is asked for, until it has a picture.
async function poll() {
  const tick = place()?.querySelector("[data-photo-auto]");
  if (!tick?.checked || place().dataset.pictured) return;
  const answer = await post(address(), { do: "take_new" });
  const photo = await answer.json().catch(() => ({}));
  if (answer.ok && photo.taken) await refresh();
}

main.addEventListener("click", (event) => {
  const button = event.target.closest("[data-photo-do]");
  if (!button) return;
  button.disabled = true;
  act(button.dataset.photoDo)
    .then(showAnswer)
    .catch(() => wrong(main.dataset.lost))
    .finally(() => {
      button.disabled = false;
    });
});
main.addEventListener("change", (event) => {
  if (event.target.matches("[data-photo-auto]")) {
    wish = event.target.checked ? "yes" : "";
    try {
      sessionStorage.setItem(WISH, wish);
    } catch {
      // kept until the page is left
    }
  }
  if (!event.target.matches("[data-photo] [type=file]") || !event.target.files[0]) return;
  const [file] = event.target.files;
  sendBody(address(), file, file.type, { method: "PUT" })
    .then(showAnswer)
    .catch(() => wrong(main.dataset.lost));
});
new MutationObserver(wished).observe(main, { childList: true });
wished();
repeat(poll, () => BETWEEN_MS);
