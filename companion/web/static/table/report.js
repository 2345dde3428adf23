// The page to be printed: one button.

document.querySelector("[data-print]").addEventListener("click", () => print());
