import { expect, test } from "vitest";
import { makeDrawing, type Screen } from "./drawing.ts";

/** A screen with a frame every 16 ms, on which a drawing takes as long as it is told to. */
class SlowScreen implements Screen {
  atMs = 1000;
  hidden = false;
  drawMs = 0;
  #due: { readonly atMs: number; readonly act: () => void }[] = [];
  readonly now = (): number => this.atMs;
  readonly onNextFrame = (act: () => void): void => this.later(() => this.#frame(act), 16 - (this.atMs % 16));
  readonly afterFrame = (act: () => void): void => this.later(act, 0);
  readonly later = (act: () => void, ms: number): void => void this.#due.push({ atMs: this.atMs + ms, act });

  #frame(act: () => void): void {
    if (!this.hidden) act();
  }

  until(atMs: number): void {
    for (;;) {
      const [next] = this.#due.toSorted((a, b) => a.atMs - b.atMs);
      if (next === undefined || next.atMs > atMs) break;
      this.#due = this.#due.filter((each) => each !== next);
      this.atMs = Math.max(this.atMs, next.atMs);
      next.act();
    }
    this.atMs = Math.max(this.atMs, atMs);
  }
}

/** When it was drawn, of one who asks for it again each time. */
function drawAgain(screen: SlowScreen, times: number): number[] {
  const drawn: number[] = [];
  const schedule = makeDrawing(screen);
  const draw = (): void => {
    drawn.push(screen.atMs);
    screen.atMs += screen.drawMs;
    if (drawn.length < times) schedule(draw);
  };
  schedule(draw);
  screen.until(screen.atMs + 5000);
  return drawn;
}

test("after a pause it is drawn on the next frame, and where drawing costs nothing on each", () => {
  expect(drawAgain(new SlowScreen(), 4)).toEqual([1008, 1024, 1040, 1056]);
});

test("where drawing takes long, as much time again is left between two drawings, but never longer than a moment", () => {
  const screen = new SlowScreen();
  screen.drawMs = 40;
  const gaps = drawAgain(screen, 5).map((atMs, at, all) => atMs - (all[at - 1] ?? atMs));
  // The first ones could not know how long it would take. A frame comes every 16 ms.
  expect(gaps.slice(3)).toEqual([96, 96]);

  const slower = new SlowScreen();
  slower.drawMs = 1000;
  const long = drawAgain(slower, 4).map((atMs, at, all) => atMs - (all[at - 1] ?? atMs));
  expect(Math.max(...long)).toBeLessThan(1000 + 150 + 17);
});

test("what one drawing took says nothing of what comes long after it", () => {
  const screen = new SlowScreen();
  const schedule = makeDrawing(screen);
  const drawIn = (tookMs: number): number => {
    let drawn = 0;
    schedule(() => {
      drawn = screen.atMs;
      screen.atMs += tookMs;
    });
    screen.until(screen.atMs + 1000 + tookMs);
    return drawn;
  };
  drawIn(800);
  drawIn(3);
  const askedMs = screen.atMs;
  expect(drawIn(3) - askedMs).toBeLessThanOrEqual(16);
});

test("a page that nobody sees has no frames, and is drawn nevertheless, whenever it went out of sight", () => {
  for (const hidesAtMs of [1000, 1001]) {
    const screen = new SlowScreen();
    let drawn = 0;
    screen.later(() => (screen.hidden = true), hidesAtMs - 1000);
    makeDrawing(screen)(() => drawn++);
    screen.until(1099);
    expect(drawn).toBe(0);
    screen.until(1100);
    expect(drawn).toBe(1);
    screen.hidden = false;
    screen.until(1200);
    expect(drawn).toBe(1);
  }
});
