// Every place of the console, as an operator sees it in the middle of a morning.

import type { Page } from "playwright-core";
import { untilDrawn } from "./drawn.ts";
import type { Shot } from "./camera.ts";
import type { World } from "./world.ts";

const live = ".app[data-link=live]";

/** At a moment that was. */
const then = (moment: number): string => `.app:has([data-past="${moment}"])`;

export function toPlaces(world: World): readonly Shot[] {
  const { review, question, busy, failed, rejected, agent, broken, terminal, recording, window, task } = world;
  const { moment, late } = world;
  return [
    { name: "overview", at: "/", ready: `${live}:has([data-lane]) [data-need]` },
    { name: "overview-sheet", at: `/?run=${question}`, ready: `${live} .sheet .event` },
    { name: "inbox", at: "/inbox", ready: `${live} [data-item]` },
    { name: "runs", at: "/runs", ready: `${live} [data-row]` },
    { name: "runs-stop", at: "/runs?project=infra", ready: `${live} [data-row]`, after: askToStopThese },
    { name: "run-new", at: "/runs/new", ready: `${live} [data-field=runner]` },
    { name: "run-network", at: `/runs/${busy}`, ready: `${live} [data-panel=network]`, after: toNetwork },
    { name: "run-review", at: `/runs/${review}?file=src%2Fserver.ts`, ready: `${live} .hunk`, after: chooseHunk },
    { name: "run-split", at: `/runs/${review}?file=src%2Fserver.ts`, ready: `${live} .hunk`, after: splitDiff },
    { name: "run-step", at: `/runs/${review}?step=14`, ready: `${live} .output` },
    { name: "run-step-diff", at: `/runs/${review}?step=2`, ready: `${live} .diff-table` },
    { name: "run-lower", at: `/runs/${review}`, ready: `${live} .hunk`, after: toEnd },
    { name: "run-question", at: `/runs/${question}`, ready: `${live}:has([data-answer]) .hunk` },
    { name: "run-busy", at: `/runs/${busy}`, ready: `${live} .tl-tick` },
    { name: "run-failed", at: `/runs/${failed}`, ready: `${live}:has(.plan-steps) .why .output` },
    { name: "run-rejected", at: `/runs/${rejected}`, ready: `${live} [data-panel=aside]`, after: toAside },
    { name: "run-undo", at: `/runs/${busy}`, ready: `${live} .tl-tick`, after: pause, last: takeBack },
    { name: "run-terminal", at: `/runs/${busy}?terminal=${terminal}`, ready: typing, after: typeInto },
    { name: "run-recording", at: `/runs/${busy}?recording=${recording}`, ready: ".xterm", after: playToEnd },
    { name: "agents", at: "/agents", ready: `${live} [data-row]` },
    { name: "agents-cards", at: "/agents", ready: `${live} [data-row]`, after: showCards },
    { name: "agent", at: `/agents/${agent}`, ready: `${live} .log-line` },
    { name: "agent-lower", at: `/agents/${agent}`, ready: `${live} .log-line`, after: toEnd },
    { name: "agent-error", at: `/agents/${broken}`, ready: `${live} [data-rung=ask]:not([data-times='0'])` },
    {
      name: "agent-windows",
      at: `/agents/${agent}?windows=side~${window},v.web`,
      ready: "[data-pane] .xterm",
      after: typeInto,
    },
    { name: "locks", at: "/locks?unit=atlas-api%3Afile%3Asrc%2Fapp.ts", ready: `${live} [data-unit-now]` },
    { name: "landing", at: "/landing", ready: `${live} [data-landed]` },
    { name: "landing-blame", at: "/landing?project=atlas-api&file=src%2Ftrace.ts", ready: `${live} .blame` },
    { name: "events", at: `/events?event=${moment}`, ready: `${live} [data-seq][aria-selected=true]` },
    { name: "past", at: `/?at=${moment}`, ready: `${then(moment)} [data-lane]` },
    { name: "past-locks", at: `/locks?at=${moment}`, ready: `${then(moment)} [data-unit]` },
    { name: "past-landing", at: `/landing?at=${late}`, ready: `${then(late)} [data-landed]` },
    { name: "past-kept", at: `/events?at=${moment}`, ready: `${live} [data-now]` },
    { name: "past-run", at: `/runs/${review}?at=${moment}`, ready: `${then(moment)} .tl-tick` },
    { name: "past-agent", at: `/agents/${agent}?at=${late}`, ready: `${then(late)} [data-service]` },
    { name: "more", at: "/", ready: `${live} [data-lane]`, after: openMore },
    ...toSettings(task),
    { name: "palette", at: "/", ready: `${live} [data-lane]`, after: findApp },
    { name: "keys", at: "/", ready: `${live} [data-lane]`, after: openKeys },
    { name: "keys-lower", at: "/", ready: `${live} [data-lane]`, after: openKeysLower },
    { name: "stop-dialog", at: `/runs/${busy}`, ready: `${live} .tl-tick`, after: (page) => ask(page, "s") },
    { name: "send-back-dialog", at: `/runs/${review}`, ready: `${live} .hunk`, after: (page) => ask(page, "b") },
    { name: "restore-dialog", at: "/landing", ready: `${live} [data-trash]`, after: askToRestore },
    {
      name: "remove-dialog",
      at: `/agents/${broken}`,
      ready: `${live} [data-service]`,
      after: (page) => ask(page, "e"),
    },
    { name: "approve-dialog", at: "/", ready: `${live} [data-need]`, after: askToApprove(review) },
  ];
}

/** What does not happen every morning, once it has. */
export const troubledPlaces: readonly Shot[] = [
  { name: "inbox-troubles", at: "/inbox", ready: `${live} [data-need=closed]`, after: toNeed("budget", false) },
  { name: "inbox-raise", at: "/inbox?kind=budget", ready: `${live} [data-need=budget]`, after: toNeed("budget", true) },
  { name: "inbox-clear", at: "/inbox?kind=closed", ready: `${live} [data-need=closed]`, after: pressOnFirst("c") },
];

/** One that needs a person is looked at, and perhaps what helps it. */
function toNeed(kind: string, isAsked: boolean): (page: Page) => Promise<void> {
  return async (page) => {
    await page
      .locator(`[data-need=${kind}]`)
      .first()
      .click({ position: { x: 20, y: 12 } });
    if (!isAsked)
      return await page.locator(".needs-list").evaluate((list) => list.scrollTo({ top: list.scrollHeight }));
    await page.keyboard.press("a");
    await page.getByRole("button", { name: /^Raise \$/ }).waitFor();
  };
}

function pressOnFirst(key: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.keyboard.press("j");
    await ask(page, key);
  };
}

function toSettings(task: string): readonly Shot[] {
  const filled = `${live} .form .btn.primary`;
  return [
    { name: "settings-projects", at: "/settings/projects?name=atlas-api", ready: filled },
    { name: "settings-tasks", at: `/settings/tasks?name=${task}`, ready: filled },
    { name: "settings-task-new", at: "/settings/tasks?name=%2B", ready: filled },
    { name: "settings-profiles", at: "/settings/profiles?name=careful", ready: filled },
    { name: "settings-policies", at: "/settings/policies?name=review-atlas-api", ready: filled },
    { name: "settings-runners", at: "/settings/runners?name=claude", ready: `${live} [data-panel=runner]` },
    {
      name: "settings-runners-lower",
      at: "/settings/runners?name=claude",
      ready: `${live} [data-price]`,
      after: toPrices,
    },
    { name: "settings-secrets", at: "/settings/secrets?name=%2B", ready: `${live} [data-panel=setting]` },
    { name: "settings-templates", at: "/settings/templates?name=python", ready: filled },
    { name: "settings-template-past", at: "/settings/templates", ready: `${live} [data-row]`, after: chooseEdge },
    { name: "settings-you", at: "/settings/you", ready: `${live} .segmented` },
  ];
}

const typing = ".terminal-frame.mine";

/** One hunk is chosen, the next is looked at. */
async function chooseHunk(page: Page): Promise<void> {
  for (const key of ["j", "a", "j"]) await page.keyboard.press(key);
  await page.waitForSelector(".hunk.on");
}

/** On a phone there is one column, whatever one likes. */
async function splitDiff(page: Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) < 720) return;
  await page.keyboard.press("v");
  await page.waitForSelector(".diff-table.split");
}

/** The lower end of whatever scrolls: the page itself, or a column of it. */
/** What comes into sight may be drawn only then, and make the page longer. */
async function toEnd(page: Page): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    await untilDrawn(page);
    await scrollDown(page);
  }
  await untilDrawn(page);
}

async function scrollDown(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const each of document.querySelectorAll("main, .agent-side, .run-side, .agent-main"))
      each.scrollTo({ top: each.scrollHeight });
    scrollTo({ top: document.documentElement.scrollHeight });
  });
}

async function toNetwork(page: Page): Promise<void> {
  await page.locator("[data-panel=network]").scrollIntoViewIfNeeded();
}

async function toPrices(page: Page): Promise<void> {
  await page.locator("[data-panel=prices]").scrollIntoViewIfNeeded();
}

async function askToStopThese(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Stop these…" }).click();
  await page.getByRole("dialog").locator("[data-stops]").first().waitFor();
}

async function toAside(page: Page): Promise<void> {
  await page.locator("[data-panel=aside]").scrollIntoViewIfNeeded();
}

/** What was done can be taken back, and the command that does the same be copied. */
async function pause(page: Page): Promise<void> {
  await page.keyboard.press("p");
  await page.locator(".toast").getByRole("button", { name: /Undo/ }).waitFor();
}

async function takeBack(page: Page): Promise<void> {
  await page.keyboard.press("u");
  await page.locator(".badge", { hasText: "Running" }).waitFor();
}

async function showCards(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Cards" }).click();
  await page.locator(".agent-card").first().waitFor();
}

/** On a desk all places are in sight. */
async function openMore(page: Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) < 720) await page.getByRole("button", { name: "More" }).click();
}

async function chooseEdge(page: Page): Promise<void> {
  await page.locator("[data-row$=':edge']").click();
  await page.locator("[data-panel=past] .file-past-row").first().waitFor();
}

async function typeInto(page: Page): Promise<void> {
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.type("ls -l\r");
  // What is drawn by the graphics processor cannot be read, so this waits for a while.
  await page.waitForTimeout(1500);
}

async function playToEnd(page: Page): Promise<void> {
  await page.keyboard.press("End");
  await page.getByRole("button", { name: "Again" }).waitFor();
}

async function findApp(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.keyboard.type("app");
  await page.waitForSelector(".palette-row");
}

async function openKeys(page: Page): Promise<void> {
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
}

async function openKeysLower(page: Page): Promise<void> {
  await openKeys(page);
  await page.evaluate(() => {
    for (const each of document.querySelectorAll("dialog, dialog *")) each.scrollTo({ top: each.scrollHeight });
  });
}

async function ask(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.getByRole("dialog").waitFor();
}

async function askToRestore(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Restore…" }).first().click();
  await page.getByRole("dialog").locator("pre").waitFor();
}

function askToApprove(run: string) {
  return async (page: Page): Promise<void> => {
    await page.locator(`[data-need][data-run=${run}]`).getByRole("button", { name: "Approve…" }).click();
    await page.getByRole("dialog").getByText("if nothing has changed by then").waitFor();
  };
}
