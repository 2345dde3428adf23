// The zones of the mat, drawn over the camera's picture with their names.

import { shape } from "./camera_check.js";

const LETTERS = 13; // pixels on the screen
const SMALLEST = 10;

// Over a picture of 1920 pixels that is shown in 600 a letter must be drawn larger.
export const scaleOf = (marks, picture) => picture.width / (marks.clientWidth || picture.width);

// A name stands at the upper edge of its zone, where cards hide it least.  One that would reach over the zone is set
// smaller; one that would be too small to read is left out.
function named(title, corners, scale) {
  const x = corners.reduce((sum, corner) => sum + corner[0], 0) / corners.length;
  const upper = corners.map((corner) => corner[1]).sort((a, b) => a - b);
  const top = (upper[0] + upper[1]) / 2;
  const wide = Math.max(...corners.map((corner) => corner[0])) - Math.min(...corners.map((corner) => corner[0]));
  const lines = title.length * LETTERS * 0.6 * scale > wide && title.includes(" ") ? halves(title) : [title];
  const longest = Math.max(...lines.map((line) => line.length));
  const size = Math.min(LETTERS * scale, wide / (longest * 0.62));
  if (size < SMALLEST * scale) return [];
  return lines.map((line, row) => {
    const name = shape("text", {
      class: "zone-name",
      x,
      y: top + size * (1.2 + 1.1 * row),
      "font-size": size,
      "text-anchor": "middle",
    });
    name.textContent = line;
    return name;
  });
}

function halves(title) {
  const words = title.split(" ");
  const cuts = words.slice(1).map((_, at) => [words.slice(0, at + 1).join(" "), words.slice(at + 1).join(" ")]);
  return cuts.reduce((best, cut) =>
    Math.max(...cut.map((line) => line.length)) < Math.max(...best.map((line) => line.length)) ? cut : best,
  );
}

export function zones(marks, picture, places) {
  const scale = scaleOf(marks, picture);
  const outlines = places.map(({ corners }) =>
    shape("polygon", { class: "zone", points: corners.map((corner) => corner.join(",")).join(" ") }),
  );
  return [...outlines, ...places.flatMap(({ corners, title }) => named(title, corners, scale))];
}
