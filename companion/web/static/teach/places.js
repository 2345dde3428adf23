// Boards that are laid out by taps: spaces one after the other, cells of a plan, pairs of cells.

const button = (words, data) => {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button";
  made.textContent = words;
  Object.assign(made.dataset, data);
  return made;
};

const toggled = (button, on) => button.setAttribute("aria-pressed", String(on));
const isOn = (button) => button.getAttribute("aria-pressed") === "true";

function add(tapped) {
  const list = tapped.closest(".teach-series").querySelector(".teach-steps");
  if (list.children.length >= Number(list.parentElement.dataset.most)) return;
  const made = document.createElement("li");
  const step = button(tapped.textContent.trim(), { step: tapped.dataset.addStep });
  toggled(step, false);
  made.append(step);
  const chosen = [...list.querySelectorAll("[data-step]")].find(isOn);
  if (!chosen) return list.append(made);
  // Whoever puts one thing into the middle goes on behind it.
  toggled(chosen, false);
  toggled(step, true);
  return chosen.parentElement.after(made);
}

function remove(tapped) {
  const steps = [...tapped.closest(".teach-series").querySelectorAll("[data-step]")];
  (steps.find(isOn) || steps.at(-1))?.parentElement.remove();
}

function choose(step) {
  const on = !isOn(step);
  for (const place of step.closest(".teach-steps").querySelectorAll("[data-step]")) toggled(place, false);
  toggled(step, on);
}

const nameOf = (row, column) => `${String.fromCharCode(65 + row)}${column + 1}`;

function cell(row, column) {
  const name = nameOf(row, column);
  const made = button(name, { cell: name });
  toggled(made, false);
  return made;
}

function more(tapped) {
  const grid = tapped.closest("fieldset").querySelector(".teach-cells");
  const rows = [...grid.children];
  const wide = rows[0].children.length;
  if (tapped.dataset.more === "column") {
    if (wide < Number(grid.dataset.columns)) rows.forEach((row, at) => row.append(cell(at, wide)));
  } else if (rows.length < Number(grid.dataset.rows)) {
    const row = rows[0].cloneNode(false);
    row.append(...Array.from({ length: wide }, (_, column) => cell(rows.length, column)));
    grid.append(row);
  }
}

// The plan once more, so that two of its cells can be tapped.
function plan(details) {
  const grid = details.closest("form").querySelector(`[data-name="${details.dataset.of}"] .teach-cells`);
  const rows = [...grid.children].map((row) => {
    const copy = row.cloneNode(false);
    for (const cell of row.children) {
      const made = button(cell.dataset.cell, { pairs: cell.dataset.cell });
      toggled(made, false);
      made.classList.toggle("none", !isOn(cell));
      made.disabled = !isOn(cell);
      copy.append(made);
    }
    copy.hidden = ![...row.children].some(isOn);
    return copy;
  });
  details.querySelector("[data-plan]").replaceChildren(...rows);
}

function pair(tapped) {
  const details = tapped.closest("details");
  const first = [...details.querySelectorAll("[data-pairs]")].find(isOn);
  if (!first) return toggled(tapped, true);
  toggled(first, false);
  const list = details.querySelector("[data-held]");
  const both = [first.dataset.pairs, tapped.dataset.pairs];
  const pairs = [...list.children].map((pair) => pair.dataset.pair.split(" ").sort().join(" "));
  const is = pairs.includes([...both].sort().join(" "));
  if (first === tapped || is || list.children.length >= Number(details.dataset.most)) return undefined;
  return list.append(button(`${both.join(" ")} ⌫`, { pair: both.join(" ") }));
}

// Whether a tap was one on a board that is laid out.
export function placed(tapped) {
  const { dataset } = tapped;
  if (dataset.spot) placeNext(tapped);
  else if (dataset.addStep) add(tapped);
  else if ("removeStep" in dataset) remove(tapped);
  else if (dataset.step) choose(tapped);
  else if (dataset.more) more(tapped);
  else if (dataset.cell) toggled(tapped, !isOn(tapped));
  else if (dataset.pairs) pair(tapped);
  else if (dataset.pair) tapped.remove();
  else return false;
  if (dataset.more || dataset.cell) document.querySelectorAll("details.teach-pairs").forEach(plan);
  return true;
}

// Whoever works there: the type that was chosen goes where the building is tapped.
function placeNext(spot) {
  const plan = spot.closest(".teach-plan");
  const member = plan.querySelector(".teach-brush input:checked").value;
  const output = spot.querySelector("output");
  const members = output.textContent.split(" ").filter(Boolean);
  if (!member) members.pop();
  else if (members.length < Number(plan.dataset.most)) members.push(member);
  output.textContent = members.join(" ");
}

function spots() {
  for (const spot of document.querySelectorAll("[data-spot]")) {
    const [left, top, width, height] = spot.dataset.spot.split(" ").map((share) => `${100 * Number(share)}%`);
    Object.assign(spot.style, { left, top, width, height });
  }
}

export function laidOut() {
  spots();
  document.querySelectorAll("details.teach-pairs").forEach(plan);
}

export const PLACES = {
  series: (field) => {
    const steps = [...field.querySelectorAll("[data-step]")].map((step) => step.dataset.step);
    return steps.length ? steps : null;
  },
  // Rows and columns at the end in which nothing is are none; the first stay, for cells are called by them.
  cells: (field) => {
    const signs = [...field.querySelectorAll(".teach-cell-row")].map((row) =>
      [...row.children].map((cell) => (isOn(cell) ? "X" : ".")).join(""),
    );
    const wide = Math.max(...signs.map((row) => row.lastIndexOf("X"))) + 1;
    const last = signs.findLastIndex((row) => row.includes("X"));
    return wide ? signs.slice(0, last + 1).map((row) => row.slice(0, wide)) : null;
  },
  pairs: (field) => [...field.querySelectorAll("[data-pair]")].map((pair) => pair.dataset.pair.split(" ")),
};
