// When the page is drawn. After a pause that is on the next frame. Where events come all the time, the page rests after each drawing
// for as long as that took: a thousand runs are much to draw, and whoever scrolls or types gets every other moment.

/** What a browser does, so that a test can do it. */
export type Screen = {
  readonly now: () => number;
  readonly isHidden: () => boolean;
  readonly onNextFrame: (act: () => void) => void;
  /** When what the frame brought has been drawn. */
  readonly afterFrame: (act: () => void) => void;
  readonly later: (act: () => void, ms: number) => void;
};

/** A hidden page has no frames; it is still told, so that its title is right. */
const hiddenGapMs = 100;
/** However long a drawing took: a page that stands still for longer looks dead. */
const restMsMax = 150;

/** Calls `draw` soon. Whoever asks again before that has to know it themselves. */
export function makeDrawing(screen: Screen = browser()): (draw: () => void) => void {
  let tookMs = 0;
  let freeAtMs = 0;
  const onFrame = (draw: () => void): void => {
    screen.onNextFrame(() => {
      const startedMs = screen.now();
      freeAtMs = startedMs + tookMs + Math.min(tookMs, restMsMax);
      draw();
      screen.afterFrame(() => {
        tookMs = screen.now() - startedMs;
      });
    });
  };
  return (draw) => {
    if (screen.isHidden()) return screen.later(draw, hiddenGapMs);
    const waitMs = freeAtMs - screen.now();
    if (waitMs <= 0) onFrame(draw);
    else screen.later(() => onFrame(draw), waitMs);
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
    isHidden: () => document.hidden,
    onNextFrame: (act) => requestAnimationFrame(act),
    // A message that is sent in a frame comes when that frame has been laid out and painted.
    afterFrame: (act) => {
      after.push(act);
      port2.postMessage(null);
    },
    later: (act, ms) => setTimeout(act, ms),
  };
}
