// A key that is kept down does once what its button does, not again and again.

const NEVER_REPEATED = "[data-command], [data-answer], [data-agree], form[data-send]";

document.addEventListener(
  "keydown",
  (event) => {
    if (event.repeat && event.key === "Enter" && event.target.closest(NEVER_REPEATED)) event.preventDefault();
  },
  true,
);
