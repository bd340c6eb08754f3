// `npm run bench -- --console`: the console over a crowd, in a real browser: long tasks, frames, how long an event takes to
// become a pixel, and whether an hour of events leaves anything behind.

import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { setTimeout as pass } from "node:timers/promises";
import type { Browser, CDPSession, Page } from "playwright-core";
import { buildConsole } from "../../scripts/build-console.ts";
import { launchChromium } from "../../test/support/console-rig.ts";
import { quantile } from "../harness/stats.ts";
import type { CrowdSize } from "./crowd.ts";
import type { Asked, Told } from "./messages.ts";
import { takeWatched, watchPage, whenDrawn } from "./watch-page.ts";

export type TraceOptions = {
  readonly size: CrowdSize;
  /** What the long run has behind it. */
  readonly longCalls: number;
  readonly eventsPerSecond: number;
  /** How long each place is looked at and scrolled. */
  readonly lookMs: number;
  /** How often a pixel is waited for at each place. */
  readonly touches: number;
  /** Events that pass while the heap is watched. */
  readonly heapEvents: number;
  /** Only these places; all where there is none. */
  readonly places?: readonly string[] | undefined;
  /** Keeps what Chromium recorded of the places there. */
  readonly traceFile?: string | undefined;
};

export type PlaceResult = {
  readonly place: string;
  readonly loadMs: number;
  /** The longest task while the page came. */
  readonly loadTaskMs: number;
  readonly longTasks: number;
  readonly longestTaskMs: number;
  readonly frameP95Ms: number;
  readonly pixelP50Ms: number | null;
  readonly pixelP95Ms: number | null;
};

export type ConsoleResult = {
  readonly size: CrowdSize & { readonly logged: number };
  readonly eventsPerSecond: number;
  readonly places: readonly PlaceResult[];
  /** The heap after a collection, again and again while events pass. */
  readonly heapBytes: readonly number[];
  readonly heapEvents: number;
};

/** An hour of a crowd at 50 events a second, which is what a thousand agents at work come to. */
export const hourEvents = 180_000;
export const fullTrace: TraceOptions = {
  size: { agents: 1000, runs: 10_000, atWork: 1000, events: 100_000 },
  ...{ longCalls: 5000, eventsPerSecond: 100, lookMs: 8000, touches: 20, heapEvents: hourEvents },
};
export const quickTrace: TraceOptions = {
  size: { agents: 40, runs: 200, atWork: 40, events: 2000 },
  ...{ longCalls: 500, eventsPerSecond: 100, lookMs: 1500, touches: 3, heapEvents: 2000 },
};

type Visit = {
  readonly place: string;
  /** With `:run`, `:long-run` and `:agent` for one of each. */
  readonly path: string;
  /** There when the page has come. */
  readonly ready: string;
  readonly scroll: string;
  /** Whose change is waited for, and the attribute with its id. */
  readonly touch?: { readonly what: "run" | "agent" | "call"; readonly row: string; readonly attribute: string };
};

const visits: readonly Visit[] = [
  {
    ...{ place: "overview", path: "/", ready: "[data-lane]", scroll: ".tracks-scroll" },
    touch: { what: "run", row: "[data-lane]", attribute: "data-run" },
  },
  {
    ...{ place: "runs", path: "/runs?state=running,paused", ready: "[data-row]", scroll: ".table-scroll" },
    touch: { what: "run", row: "[data-row]", attribute: "data-row" },
  },
  { place: "agents", path: "/agents", ready: "[data-row]", scroll: ".table-scroll" },
  {
    // These are left alone by the bustle, and are so few that all are drawn: the one that is waited for stays in sight, wherever it is sorted.
    ...{ place: "agents, found", path: "/agents?find=shop-10", ready: "[data-row]", scroll: ".table-scroll" },
    touch: { what: "agent", row: "[data-row]", attribute: "data-row" },
  },
  { place: "inbox", path: "/inbox", ready: ".inbox-place", scroll: "#main" },
  { place: "locks", path: "/locks", ready: ".locks-place [data-row]", scroll: ".locks-place .table-scroll" },
  { place: "landing", path: "/landing", ready: ".landing-place [data-landed]", scroll: "#main" },
  { place: "events", path: "/events", ready: "[data-seq]", scroll: ".table-scroll" },
  {
    ...{ place: "a run", path: "/runs/:run", ready: "[data-page] [data-event]", scroll: "#main" },
    touch: { what: "run", row: "[data-page]", attribute: "data-run" },
  },
  {
    ...{ place: "a long run", path: "/runs/:long-run", ready: "[data-page] .tl-tick", scroll: "#main" },
    touch: { what: "call", row: "[data-page]", attribute: "data-run" },
  },
  { place: "an agent", path: "/agents/:agent", ready: "[data-page] [data-service]", scroll: "#main" },
  { place: "settings", path: "/settings/policies", ready: ".settings-place", scroll: "#main" },
];
const heapLooks = 6;
const settleMs = 500;

export async function traceConsole(options: TraceOptions): Promise<ConsoleResult> {
  await buildConsole();
  const crowd = await CrowdProcess.start(options);
  const browser = await launchChromium();
  try {
    const page = await open(browser, crowd.loginUrl);
    const recorded = options.traceFile;
    if (recorded !== undefined) await browser.startTracing(page, { path: recorded });
    await crowd.ask({ do: "bustle", eventsPerSecond: options.eventsPerSecond });
    const places: PlaceResult[] = [];
    const wanted = options.places ?? [];
    for (const visit of visits.filter(({ place }) => wanted.length === 0 || wanted.includes(place))) {
      console.error(`looking at ${visit.place} …`);
      places.push(await look(page, crowd, visit, options));
    }
    await crowd.ask({ do: "bustle", eventsPerSecond: 0 });
    if (recorded !== undefined) await browser.stopTracing();
    const heapBytes = await watchHeap(page, crowd, options);
    const size = { ...options.size, logged: crowd.logged };
    return { size, eventsPerSecond: options.eventsPerSecond, places, heapBytes, heapEvents: options.heapEvents };
  } finally {
    await browser.close();
    crowd.stop();
  }
}

async function open(browser: Browser, loginUrl: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  await watchPage(page);
  await page.goto(loginUrl);
  await page.waitForSelector(".app[data-link=live]");
  return page;
}

async function look(page: Page, crowd: CrowdProcess, visit: Visit, options: TraceOptions): Promise<PlaceResult> {
  const startMs = performance.now();
  const address = visit.path
    .replace(":run", crowd.run)
    .replace(":long-run", crowd.longRun)
    .replace(":agent", crowd.agent);
  await page.goto(new URL(address, page.url()).href);
  await page.waitForSelector(`.app[data-link=live] ${visit.ready}`);
  const loadMs = performance.now() - startMs;
  await pass(1000);
  const loading = await takeWatched(page);
  const pixels = await touchAll(page, crowd, visit, options.touches);
  await scroll(page, visit.scroll, options.lookMs);
  const { longTasksMs, framesMs } = await takeWatched(page);
  return {
    place: visit.place,
    loadMs,
    loadTaskMs: Math.max(0, ...loading.longTasksMs),
    longTasks: longTasksMs.length,
    longestTaskMs: Math.max(0, ...longTasksMs),
    frameP95Ms: quantile(framesMs, 0.95),
    pixelP50Ms: pixels.length === 0 ? null : quantile(pixels, 0.5),
    pixelP95Ms: pixels.length === 0 ? null : quantile(pixels, 0.95),
  };
}

/** How long each of some changes took from the engine to the screen. */
async function touchAll(page: Page, crowd: CrowdProcess, { touch }: Visit, times: number): Promise<number[]> {
  if (touch === undefined) return [];
  const id = await page.locator(touch.row).first().getAttribute(touch.attribute);
  const row = `${touch.row}[${touch.attribute}="${id}"]`;
  const pixels: number[] = [];
  for (let time = 0; time < times; time++) {
    const drawn = await whenDrawn(page, row);
    const told = await crowd.ask({ do: "touch", what: touch.what, id: id ?? "" });
    if (told.is === "touched") pixels.push((await drawn()) - told.atMs);
    // Some changes are drawn in two steps: whoever looked at the first would wait for ever where the next one undoes the second.
    await pass(settleMs);
  }
  return pixels;
}

/** Down and up again, as somebody does who looks for something. */
async function scroll(page: Page, selector: string, lookMs: number): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + Math.min(300, (box?.height ?? 0) / 2));
  const untilMs = performance.now() + lookMs;
  for (let step = 0; performance.now() < untilMs; step++) {
    await page.mouse.wheel(0, step % 60 < 40 ? 400 : -700);
    await pass(30);
  }
}

/** The heap while an hour's events pass, on the page that shows most. */
async function watchHeap(page: Page, crowd: CrowdProcess, { heapEvents }: TraceOptions): Promise<number[]> {
  await page.goto(new URL("/", page.url()).href);
  await page.waitForSelector(".app[data-link=live] [data-lane]");
  const session = await page.context().newCDPSession(page);
  const sizes: number[] = [];
  for (let looked = 0; looked <= heapLooks; looked++) {
    await crowd.ask({ do: "crowd", events: heapEvents / heapLooks });
    await pass(1500);
    sizes.push(await heapOf(session));
  }
  return sizes;
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize;
}

class CrowdProcess {
  readonly loginUrl: string;
  readonly run: string;
  readonly longRun: string;
  readonly agent: string;
  logged: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, ready: Extract<Told, { is: "ready" }>) {
    this.#child = child;
    this.loginUrl = ready.loginUrl;
    this.run = ready.run;
    this.longRun = ready.longRun;
    this.agent = ready.agent;
    this.logged = ready.events;
  }

  static async start({ size, longCalls }: Pick<TraceOptions, "size" | "longCalls">): Promise<CrowdProcess> {
    const child = fork(path.join(import.meta.dirname, "crowd-process.ts"), [JSON.stringify({ ...size, longCalls })]);
    const ready = await nextFrom(child);
    if (ready.is !== "ready") throw new Error("the crowd says first that it is there");
    return new CrowdProcess(child, ready);
  }

  async ask(asked: Asked): Promise<Told> {
    const told = nextFrom(this.#child);
    this.#child.send(asked);
    const answer = await told;
    if (answer.is === "done") this.logged = answer.events;
    return answer;
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}

function nextFrom(child: ChildProcess): Promise<Told> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`the crowd ended with ${code}`));
    child.once("exit", onExit);
    child.once("message", (told: Told) => {
      child.off("exit", onExit);
      resolve(told);
    });
  });
}
