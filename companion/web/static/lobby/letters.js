// Names as people read them.

// A flag, or an emoji with all that is joined to it, is one letter.
function lettersOf(name) {
  if (!("Segmenter" in Intl)) return Array.from(name);
  return Array.from(new Intl.Segmenter().segment(name), (letter) => letter.segment);
}

// What stands on the badges of some players: one letter, two where one would not tell two of them apart.
export function initials(names) {
  const letters = names.map(lettersOf);
  const first = letters.map(([letter]) => letter.toUpperCase());
  return letters.map(([, second = ""], at) =>
    first.indexOf(first[at]) === first.lastIndexOf(first[at]) ? first[at] : first[at] + second.toLowerCase(),
  );
}

// A sentence with what people wrote in its place, whatever signs are in that.
export const filled = (sentence, place, written) => sentence.replace(place, () => written);
