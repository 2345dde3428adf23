// Catalogs as files: one is taken in, copied, held beside another.

import { get, post } from "../core/http.js";

const main = document.querySelector("main");
const words = main.dataset;

function line(text, kind = "p") {
  const element = document.createElement(kind);
  element.textContent = text;
  return element;
}

// A refusal with each fault, its line and its place.
async function refuse(form, answer) {
  const reply = await answer?.json().catch(() => ({}));
  const faults = (reply?.faults ?? []).map((fault) =>
    line(
      [fault.line ? words.line.replace("{line}", fault.line) : "", fault.place, fault.detail]
        .filter(Boolean)
        .join(": "),
      "li",
    ),
  );
  const list = document.createElement("ul");
  list.lang = "en";
  list.append(...faults);
  const wrong = form.querySelector(".wrong");
  wrong.replaceChildren(...(faults.length > 0 ? [list] : [line(reply?.detail || words.lost)]));
  wrong.hidden = false;
}

function when(selector, act) {
  for (const form of document.querySelectorAll(selector)) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      form.querySelector(".wrong").hidden = true;
      const button = form.querySelector("button");
      button.disabled = true;
      const answer = await act(form).catch(() => null);
      if (!answer?.ok) await refuse(form, answer);
      button.disabled = false;
    });
  }
}

when("form[data-take-in]", async (form) => {
  const [file] = form.elements.file.files;
  // The file itself: as text, its bytes would be UTF-8 whatever they were, with letters lost.
  const answer = await post(`/api/v1/catalogs/${form.elements.name.value}`, file, { type: "application/toml" });
  if (answer.ok) location.reload();
  return answer;
});

when("form[data-copy]", async (form) => {
  const answer = await post(`/api/v1/catalogs/${form.dataset.copy}/copy`, { name: form.elements.name.value });
  if (answer.ok) location.reload();
  return answer;
});

const shown = (value) => (value === null || value === undefined ? "–" : String(value));

when("form[data-compare]", async (form) => {
  const other = form.elements.from.value;
  const [, name] = form.dataset.compare.split("/");
  const answer = await get(`/api/v1/catalogs/${form.dataset.compare}/differences?from=${encodeURIComponent(other)}`);
  if (!answer.ok) return answer;
  const { differences } = await answer.json();
  const rows = differences.map((difference) => {
    const row = document.createElement("tr");
    row.append(line(difference.place, "th"), line(shown(difference.a), "td"), line(shown(difference.b), "td"));
    return row;
  });
  const head = document.createElement("tr");
  head.append(line(words.place, "th"), line(name, "th"), line(other, "th"));
  const table = document.createElement("table");
  table.append(head, ...rows);
  form.querySelector(".differences-found").replaceChildren(rows.length > 0 ? table : line(words.same));
  return answer;
});

// The name of a file is a good name for what is in it.
const chosen = document.querySelector("form[data-take-in] input[type=file]");
chosen.addEventListener("change", () => {
  const name = chosen.closest("form").elements.name;
  const proposed = chosen.files[0]?.name
    .toLowerCase()
    .replace(/\.toml$/, "")
    .replace(/[^a-z0-9_-]+/g, "-");
  if (proposed && !name.value) name.value = proposed.replace(/^[^a-z0-9]+/, "").slice(0, 40);
});
document.dispatchEvent(new Event("page:ready"));
