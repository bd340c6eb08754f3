// The states that a view can be in besides its usual one. What a daemon does rarely, such as answering with an error, is put in its
// mouth; all else is real.

import type { Page, Route } from "playwright-core";
import { type ErrorCode, statusOf, toWireError } from "../../src/protocol/errors.ts";
import { untilDrawn } from "./drawn.ts";
import type { Shot } from "./camera.ts";
import type { World } from "./world.ts";

const live = ".app[data-link=live]";
const everything = "**/api/v1/**";

/** No answer comes: the shape of what is awaited. */
export function toLoading({ review, agent }: World): readonly Shot[] {
  const withoutAnswer = (pattern: string) => async (page: Page) => {
    await page.route(pattern, () => undefined);
  };
  const shots: readonly Shot[] = [
    { name: "loading", at: "/", ready: ".skeleton", before: withoutAnswer(everything) },
    { name: "loading-inbox", at: "/inbox", ready: `${live} .bones`, before: withoutAnswer("**/api/v1/inbox*") },
    { name: "loading-runs", at: "/runs", ready: `${live} .bones`, before: withoutAnswer("**/api/v1/runs?*limit=500*") },
    {
      name: "loading-run",
      at: `/runs/${review}`,
      ready: `${live} [data-panel] .bones`,
      before: withoutAnswer("**/api/v1/**/diff*"),
    },
    { name: "loading-agent", at: `/agents/${agent}`, ready: `${live} .board`, before: withoutAnswer("**/output*") },
    { name: "loading-landing", at: "/landing", ready: `${live} .board`, before: withoutAnswer("**/api/v1/landings*") },
    {
      name: "loading-settings",
      at: "/settings/policies",
      ready: `${live} .bones`,
      before: withoutAnswer("**/api/v1/policies*"),
    },
  ];
  return shots.map((shot) => ({ ...shot, isUnfinished: true }));
}

/** What is asked for is answered with an error, or not allowed. */
export function toErrors({ review, busy }: World): readonly Shot[] {
  const answering = (pattern: string, code: ErrorCode, data: Record<string, string> = {}) => {
    return async (page: Page): Promise<void> => {
      await page.route(pattern, (route: Route) =>
        route.fulfill({ status: statusOf(code), json: { error: toWireError(code, data) } }),
      );
    };
  };
  const people = { what: "reading what needs a person" };
  return [
    { name: "error", at: "/", ready: ".page-note", before: answering(everything, "internal") },
    { name: "error-inbox", at: "/inbox", ready: "[role=alert]", before: answering("**/api/v1/inbox*", "internal") },
    {
      name: "error-run",
      at: `/runs/${review}`,
      ready: `${live} .board`,
      before: answering("**/api/v1/**/diff*", "internal"),
    },
    { name: "error-unknown-run", at: "/runs/r_zzzz", ready: ".page-note" },
    { name: "error-unknown-agent", at: "/agents/nobody", ready: ".page-note" },
    { name: "error-nowhere", at: "/nowhere", ready: ".page-note" },
    { name: "error-landing", at: "/landing", ready: `${live} .board`, before: answering("**/landings*", "internal") },
    {
      name: "error-settings",
      at: "/settings/policies",
      ready: `${live} .board`,
      before: answering("**/api/v1/policies*", "internal"),
    },
    { name: "forbidden", at: "/", ready: ".page-note", before: answering(everything, "forbidden", people) },
    {
      name: "forbidden-inbox",
      at: "/inbox",
      ready: "[role=alert]",
      before: answering("**/api/v1/inbox*", "forbidden", people),
    },
    {
      name: "forbidden-act",
      at: `/runs/${busy}`,
      ready: `${live} .tl-tick`,
      before: answering("**/pause", "forbidden", { what: "pausing a run" }),
      after: async (page) => {
        await page.keyboard.press("p");
        await page.waitForSelector(".toast");
      },
    },
  ];
}

/** Whoever has no session. */
export const signedOut: Shot = { name: "signed-out", at: "/", ready: ".signed-out" };

/** Nothing is there yet. */
export const emptyPlaces: readonly Shot[] = [
  { name: "empty", at: "/", ready: ".empty" },
  { name: "empty-inbox", at: "/inbox", ready: `${live} .quiet` },
  { name: "empty-runs", at: "/runs", ready: `${live} .empty` },
  { name: "empty-agents", at: "/agents", ready: `${live} .empty` },
  { name: "empty-locks", at: "/locks", ready: live },
  { name: "empty-landing", at: "/landing", ready: live },
  { name: "empty-events", at: "/events", ready: `${live} [data-seq]` },
  ...["projects", "tasks", "profiles", "policies", "runners", "templates"].map((section) => ({
    name: `empty-settings-${section}`,
    at: `/settings/${section}`,
    ready: `${live} .board`,
  })),
];

/** One of everything. */
export const onePlaces: readonly Shot[] = [
  { name: "one", at: "/", ready: `${live} [data-lane]` },
  { name: "one-inbox", at: "/inbox", ready: `${live} [data-item]` },
  { name: "one-runs", at: "/runs", ready: `${live} [data-row]` },
  { name: "one-locks", at: "/locks", ready: `${live} [data-row]` },
  { name: "one-landing", at: "/landing", ready: `${live} .landing-place` },
];

/** Names that nobody should give, but some do. */
export function toLong(long: string): readonly Shot[] {
  return [
    { name: "long", at: "/", ready: `${live} [data-lane][data-run=${long}]` },
    { name: "long-runs", at: "/runs", ready: `${live} [data-row=${long}]` },
    { name: "long-run", at: `/runs/${long}`, ready: `${live} .tl-tick` },
    { name: "long-locks", at: "/locks", ready: `${live} [data-unit^='file:deep'], ${live} [data-row]` },
    { name: "many-locks", at: "/locks", ready: `${live} [data-unit]`, after: toMiddleOfPage },
    { name: "long-inbox", at: "/inbox", ready: `${live} [data-item='question ${long}']` },
  ];
}

/** A thousand agents, ten thousand runs. */
export const crowdedPlaces: readonly Shot[] = [
  { name: "crowd", at: "/", ready: `${live}:has([data-lane]) [data-count=you]:text-matches("^[0-9]")` },
  { name: "crowd-inbox", at: "/inbox", ready: `${live} [data-item]` },
  { name: "crowd-runs", at: "/runs", ready: `${live} [data-row]`, after: toMiddle },
  { name: "crowd-agents", at: "/agents", ready: `${live} [data-row]`, after: toMiddle },
  { name: "crowd-events", at: "/events", ready: `${live} [data-seq]`, after: toMiddle },
  {
    name: "crowd-locks",
    at: "/locks",
    ready: `${live} .locks-place :is([data-heat=held], [data-heat=hot])`,
    after: untilDrawn,
  },
];

/** On a phone the page scrolls, and no list within it. */
async function toMiddleOfPage(page: Page): Promise<void> {
  await toMiddle(page);
  await page.evaluate(() => scrollTo({ top: 1800 }));
}

async function toMiddle(page: Page): Promise<void> {
  const list = page.locator(".table-scroll");
  if ((await list.count()) === 0) return;
  await list.evaluate((box) => box.scrollTo({ top: box.scrollHeight / 2 }));
  // What was drawn before may still be there, far above.
  await page.waitForFunction(() => {
    const box = document.querySelector(".table-scroll")?.getBoundingClientRect();
    const rows = document.querySelectorAll(".table-scroll :is([data-row], [data-seq], [data-unit])");
    return [...rows].some((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return box !== undefined && bottom > box.top && top < box.bottom;
    });
  });
  await untilDrawn(page);
}
