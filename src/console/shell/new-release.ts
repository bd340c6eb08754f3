// A page that was open while the daemon became another release asks for parts that are not there any more: it is loaded anew, at the
// same address. Once: where that does not help, whoever looks decides. While the daemon is away there is nothing to load: the page
// stays as it is.

import { isDaemonThere } from "../live/daemon-there.ts";

const name = "signalbox.reloaded-at";
const againMs = 60_000;

export function reloadForNewRelease(): void {
  addEventListener("vite:preloadError", (event) => {
    const last = Number(sessionStorage.getItem(name) ?? 0);
    if (Date.now() - last < againMs) return;
    event.preventDefault();
    void isDaemonThere().then((isThere) => {
      if (!isThere) return;
      sessionStorage.setItem(name, String(Date.now()));
      location.reload();
    });
  });
}
