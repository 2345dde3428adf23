// A box is begun, renamed or deleted; the printer is measured by a photograph of its sheet.

import { keyOf, post, sendBody } from "../core/http.js";

const form = document.querySelector("form[data-new-box]");
const keys = keyOf();
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { game, name } = Object.fromEntries(new FormData(/** @type {any} */ (form)));
  const headers = keys(JSON.stringify([game, name]));
  const answer = await post("/api/v1/boxes", { game, name }, { headers }).catch(() => null);
  const reply = await answer?.json().catch(() => ({}));
  if (answer?.ok) return location.assign(`/boxes/${reply.id}`);
  if (answer) keys("");
  const wrong = form.querySelector(".wrong");
  wrong.textContent = reply?.detail || wrong.dataset.lost;
  wrong.hidden = false;
  return undefined;
});

async function change(details, request) {
  const answer = await request.catch(() => null);
  if (answer?.ok) return location.reload();
  const reply = await answer?.json().catch(() => ({}));
  const wrong = details.querySelector(".wrong");
  wrong.textContent = reply?.detail || wrong.dataset.lost;
  wrong.hidden = false;
  return undefined;
}

for (const rename of document.querySelectorAll("[data-rename-box]")) {
  const details = rename.closest(".box-change");
  rename.addEventListener("submit", (event) => {
    event.preventDefault();
    const address = `/api/v1/boxes/${rename.dataset.renameBox}/name`;
    const body = JSON.stringify({ name: rename.elements.called.value });
    change(details, sendBody(address, body, "application/json", { method: "PUT" }));
  });
  const remove = details.querySelector("[data-delete-box]");
  remove.addEventListener("click", () => {
    const address = `/api/v1/boxes/${remove.dataset.deleteBox}`;
    change(details, sendBody(address, "", "application/json", { method: "DELETE" }));
  });
}

const printer = document.querySelector("[data-printer]");

async function measured(request) {
  const answer = await request.catch(() => null);
  if (answer?.ok) return location.reload();
  const reply = await answer?.json().catch(() => ({}));
  const wrong = printer.querySelector(".wrong");
  wrong.textContent = reply?.detail || wrong.dataset.lost;
  wrong.hidden = false;
  return undefined;
}

printer?.querySelector("[data-printer-photo]").addEventListener("change", (event) => {
  const [file] = event.target.files;
  if (file) measured(sendBody("/api/v1/printer", file, file.type, { method: "PUT" }));
});
printer?.querySelector("[data-printer-forget]")?.addEventListener("click", () => {
  measured(sendBody("/api/v1/printer", "", "application/json", { method: "DELETE" }));
});

const sheet = document.querySelector("[data-check-sheet]");

/** A label in words: its card, of a back with that word, of equal ones all that it can be. */
function named(label, back) {
  return label
    .split("/")
    .map((name) => name.replace(/-back$/, ` (${back})`))
    .join(" / ");
}

function tell(answer, reply) {
  const line = sheet.querySelector("[data-told]");
  const others = sheet.querySelector("[data-strange]");
  const wrong = sheet.querySelector(".wrong");
  line.hidden = !answer?.ok;
  others.hidden = !answer?.ok || reply.strange.length === 0;
  wrong.hidden = Boolean(answer?.ok);
  wrong.textContent = answer?.ok ? "" : reply?.detail || wrong.dataset.lost;
  if (!answer?.ok) return;
  const words = reply.missing.length ? line.dataset.lost : line.dataset.all;
  line.textContent = words
    .replace("{sheet}", reply.sheet)
    .replace("{of}", reply.of)
    .replace("{count}", reply.cards.length)
    .replace("{cards}", reply.missing.map((label) => named(label, line.dataset.back)).join(", "));
}

const printedAs = sheet?.querySelector("[name=kind]");

function fixPaper() {
  const paper = sheet.querySelector("[name=paper]");
  const [, own] = printedAs.value.match(/^(a4|letter)-/) ?? [];
  paper.disabled = Boolean(own);
  if (own) paper.value = own;
}

printedAs?.addEventListener("change", fixPaper);
if (printedAs) fixPaper();
sheet?.querySelector("[data-sheet-photo]").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  const fields = [...sheet.querySelectorAll("select, input[name]")];
  const wish = new URLSearchParams(fields.map((field) => [field.name, field.value.trim()]));
  const [game, catalog] = wish.get("catalog").split("/");
  wish.set("game", game);
  wish.set("catalog", catalog);
  const answer = await sendBody(`/api/v1/printer/check?${wish}`, file, file.type).catch(() => null);
  tell(answer, await answer?.json().catch(() => ({})));
  event.target.value = "";
});
document.dispatchEvent(new Event("page:ready"));
