// A page that was open while the daemon became another release asks for parts that are not there any more: it is loaded anew, at the
// same address. Once: where that does not help, whoever looks decides.

const name = "signalbox.reloaded-at";
const againMs = 60_000;

export function reloadForNewRelease(): void {
  addEventListener("vite:preloadError", (event) => {
    const last = Number(sessionStorage.getItem(name) ?? 0);
    if (Date.now() - last < againMs) return;
    event.preventDefault();
    sessionStorage.setItem(name, String(Date.now()));
    location.reload();
  });
}
