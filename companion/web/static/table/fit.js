// Words that are too many for their place are set smaller, all of them together, until they have room: [data-fit].

const LEAST = 0.46;
const STEP = 0.06;

const tooMuch = (place) =>
  place.scrollHeight > place.clientHeight + 1 ||
  place.scrollWidth > place.clientWidth + 1 ||
  [...place.querySelectorAll(".headline")].some((line) => line.scrollWidth > line.clientWidth + 1);

function fit() {
  for (const place of document.querySelectorAll("[data-fit]")) {
    place.style.removeProperty("--fit");
    for (let size = 1 - STEP; size > LEAST && tooMuch(place); size -= STEP)
      place.style.setProperty("--fit", String(size));
  }
}

document.addEventListener("table:shown", fit);
for (const moment of ["resize", "load"]) addEventListener(moment, fit);
document.fonts.ready.then(fit);
