// When the page is drawn. After a pause that is on the next frame. Where events come all the time, the page rests after each drawing
// for as long as that took: a thousand runs are much to draw, and whoever scrolls or types gets every other moment.

/** What a browser does, so that a test can do it. */
export type Screen = {
  readonly now: () => number;
  /** Never, while nobody sees the page. */
  readonly onNextFrame: (act: () => void) => void;
  /** When what the frame brought has been drawn. */
  readonly afterFrame: (act: () => void) => void;
  readonly later: (act: () => void, ms: number) => void;
};

/** A page that nobody sees is told nevertheless, so that its title is right. */
const framelessMs = 100;
/** However long a drawing took: a page that stands still for longer looks dead. */
const restMsMax = 150;

/** Calls `draw` soon. Whoever asks again before that has to know it themselves. */
export function makeDrawing(screen: Screen = browser()): (draw: () => void) => void {
  let tookMs = 0;
  let freeAtMs = 0;
  return (draw) => {
    let isDrawn = false;
    // On a frame, or without one: a page may be hidden at any moment.
    const once = (): void => {
      if (isDrawn) return;
      isDrawn = true;
      const startedMs = screen.now();
      // Until it is known, as the last time.
      freeAtMs = startedMs + Math.min(2 * tookMs, restMsMax);
      draw();
      screen.afterFrame(() => {
        tookMs = screen.now() - startedMs;
        freeAtMs = screen.now() + Math.min(tookMs, restMsMax);
      });
    };
    const waitMs = Math.max(0, freeAtMs - screen.now());
    if (waitMs === 0) screen.onNextFrame(once);
    else screen.later(() => screen.onNextFrame(once), waitMs);
    screen.later(once, waitMs + framelessMs);
  };
}

function browser(): Screen {
  const { port1, port2 } = new MessageChannel();
  let after: (() => void)[] = [];
  port1.addEventListener("message", () => {
    const due = after;
    after = [];
    for (const act of due) act();
  });
  port1.start();
  return {
    now: () => performance.now(),
    onNextFrame: (act) => requestAnimationFrame(act),
    // A message that is sent in a frame comes when that frame has been laid out and painted.
    afterFrame: (act) => {
      after.push(act);
      port2.postMessage(null);
    },
    later: (act, ms) => setTimeout(act, ms),
  };
}
