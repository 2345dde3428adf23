// The page that is shown without contact: it looks again by itself, and goes back as soon as somebody answers.

const again = () =>
  fetch("/healthz", { cache: "no-store" })
    .then((answer) => answer.ok && location.reload())
    .catch(() => {});
document.querySelector("button").addEventListener("click", again);
setInterval(again, 3000);
