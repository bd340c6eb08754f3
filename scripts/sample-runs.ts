// A morning at three projects, for pictures and demonstrations: runs that move, wait, ask, fail and rest, all scripted.

import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Client } from "../src/client/client.ts";
import { reviewSteps, writeReviewFiles } from "./sample-review.ts";

type Sample = {
  readonly project: string;
  readonly title: string;
  readonly steps: readonly object[];
  readonly plan?: readonly string[];
  readonly priority?: number;
  readonly tags?: readonly string[];
  /** Comes this long after the first one. */
  readonly afterMs?: number;
};

const write = (path: string): object => ({ write: { path, content: `${path}\n` } });
const work = (seconds: number): object => ({ sleep: `${seconds}s` });

/** A test that is red for the reason that it is about. */
const cartTest = `console.log(\`> cart@2.4.1 test

 ok 1 - an empty cart costs nothing
 ok 2 - a line is added once
not ok 3 - the badge counts what is in the cart
  expected: 3
  actual:   2
  at: test/cart.test.ts:41:10

2 passed, 1 failed (1.8 s)\`);
process.exit(1);
`;

const samples: readonly Sample[] = [
  {
    project: "atlas-api",
    title: "Cache the session lookup",
    priority: 5,
    steps: [
      { claim: ["file:src/app.ts", "dir:src/auth"] },
      write("src/auth/session.ts"),
      work(15),
      { ask: "Redis or cookie: which session wins when the two disagree?" },
    ],
  },
  {
    project: "atlas-api",
    title: "Structured errors in handlers",
    tags: ["api"],
    afterMs: 3000,
    steps: [{ claim: "dir:src/handlers" }, write("src/handlers/errors.ts"), work(7), { claim: "file:src/app.ts" }],
  },
  {
    project: "atlas-api",
    title: "Request ids through the log",
    afterMs: 8000,
    steps: [{ claim: "dir:src/log" }, write("src/log/ids.ts"), work(6), { claim: "file:src/app.ts" }],
  },
  {
    project: "atlas-api",
    title: "Rate limits for the public API",
    tags: ["api", "q4"],
    afterMs: 1000,
    plan: ["dir:src/limits", "file:src/server.ts"],
    steps: [work(8), ...reviewSteps],
  },
  {
    project: "atlas-api",
    title: "Drop the Node 20 shims",
    afterMs: 2000,
    steps: [{ claim: "file:package.json" }, write("package.json"), work(5), { process: "test" }],
  },
  { project: "atlas-api", title: "Trace ids in outgoing calls", steps: [write("src/trace.ts"), work(9)] },
  {
    project: "storefront",
    title: "Checkout with saved cards",
    tags: ["checkout"],
    afterMs: 4000,
    steps: [{ claim: ["dir:src/checkout", "file:src/routes.ts"] }, write("src/checkout/cards.ts"), work(900)],
  },
  {
    project: "storefront",
    title: "Lazy-load product images",
    steps: [{ claim: "dir:src/media" }, write("src/media/lazy.ts"), work(900)],
  },
  {
    project: "storefront",
    title: "Cart badge count on mobile",
    plan: ["dir:src/media", "file:src/cart/badge.ts"],
    afterMs: 11_000,
    steps: [write("src/cart/badge.ts")],
  },
  {
    project: "storefront",
    title: "Fix the flaky cart test",
    afterMs: 2500,
    steps: [{ claim: "file:test/cart.test.ts" }, work(13), { run: "node test/all.js" }],
  },
  {
    project: "infra",
    title: "Rotate TLS on the edge nodes",
    tags: ["on-call"],
    afterMs: 6000,
    steps: [
      { claim: "dir:modules/edge" },
      work(14),
      { ask: "The certificate of edge-3 is newer than the others.\nReplace it too, or leave it?" },
    ],
  },
  {
    project: "infra",
    title: "Postgres 17 upgrade rehearsal",
    priority: -2,
    steps: [{ claim: "process:db-rehearsal" }, work(900)],
  },
  { project: "infra", title: "Alert on full disks", tags: ["on-call"], steps: [write("alerts.tf"), work(4)] },
  {
    project: "infra",
    title: "Prune unused buckets",
    plan: ["file:buckets.tf"],
    afterMs: 9000,
    steps: [write("buckets.tf"), work(5)],
  },
];

/** Adds the projects, and submits the runs one after the other as a morning would bring them. */
export async function startSamples(client: Client, folderOf: (project: string) => Promise<string>): Promise<void> {
  const processes = {
    test: { argv: ["sleep", "900"], scope: "project" as const },
    "db-rehearsal": { argv: ["sleep", "900"], scope: "project" as const },
  };
  for (const name of ["atlas-api", "storefront", "infra"]) {
    const root = await folderOf(name);
    if (name === "atlas-api") await writeReviewFiles(root);
    if (name === "storefront") {
      await mkdir(path.join(root, "test"), { recursive: true });
      await writeFile(path.join(root, "test/all.js"), cartTest);
    }
    await client.call("project.add", { root, name, processes });
    if (name === "infra") continue;
    await client.call("policy.set", {
      name: `review-${name}`,
      scope: { project: name },
      rules: { approvalRequired: true, autoApprove: ["src/trace.ts"] },
    });
  }
  await client.call("claim.make", { project: "infra", units: ["file:buckets.tf"], as: "mara", ttlMs: 900_000 });
  const startedMs = performance.now();
  const paused = await submitAll(client, startedMs);
  await client.call("run.pause", { run: paused });
}

/** Answers the run that is to be paused. */
async function submitAll(client: Client, startedMs: number): Promise<string> {
  let paused = "";
  for (const sample of samples.toSorted((a, b) => (a.afterMs ?? 0) - (b.afterMs ?? 0))) {
    const { project, title, steps, plan = [], priority = 0, tags = [], afterMs = 0 } = sample;
    const waitMs = startedMs + afterMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const script = JSON.stringify({ task: title, steps });
    const { run } = await client.call("run.submit", {
      project,
      title,
      script,
      plan: [...plan],
      priority,
      tags: [...tags],
    });
    if (title.startsWith("Postgres")) paused = run;
  }
  return paused;
}
