// A phone that is given another task shows it from its top, wherever somebody had scrolled before.

export {};

const state = () => document.getElementById("state");
const task = () => `${state().dataset.layout} ${state().classList.contains("up")}`;
let shown = task();

document.addEventListener("table:shown", () => {
  if (task() === shown) return;
  shown = task();
  document.querySelector(".seat-main").scrollTop = 0;
});
