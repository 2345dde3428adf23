// One picture to send: the drawing is painted as PNG here, and handed to whatever this device sends pictures with.

const button = document.querySelector("[data-keep]");
const [drawing] = document.images;

async function painted() {
  await drawing.decode();
  const canvas = document.createElement("canvas");
  canvas.width = drawing.naturalWidth;
  canvas.height = drawing.naturalHeight;
  canvas.getContext("2d").drawImage(drawing, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"),
  );
}

function kept(blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = button.dataset.keep;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

button.addEventListener("click", async () => {
  try {
    const blob = await painted();
    const file = new File([blob], button.dataset.keep, { type: "image/png" });
    // Browsers share from pages they trust alone; on a plain address of the house the picture is kept as a file.
    if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file] });
    else kept(blob);
  } catch (fault) {
    if (fault.name !== "AbortError") document.getElementById("said").textContent = button.dataset.failed;
  }
});

document.dispatchEvent(new Event("page:ready"));

export {};
