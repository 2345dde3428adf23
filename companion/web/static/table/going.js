// Going once, going twice, while somebody thinks about a bid.  It reminds and never decides.

let entry = "";
let since = 0;

function say() {
  for (const place of document.querySelectorAll(".going")) {
    const { after, once, twice, entry: now } = place.dataset;
    if (now !== entry) {
      entry = now;
      since = Date.now();
    }
    const rounds = Math.floor((Date.now() - since) / 1000 / Number(after));
    const said = rounds >= 2 ? twice : rounds >= 1 ? once : "";
    if (place.textContent !== said) place.textContent = said;
  }
}

setInterval(say, 500);
document.addEventListener("table:shown", say);
say();

export {};
