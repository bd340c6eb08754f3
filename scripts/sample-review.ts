// A change set worth reviewing, for pictures: files of an API before, and a scripted run that changes them in many ways.

import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

const server = `import { Hono } from "hono";
import { logger } from "hono/logger";
import { router } from "./router.ts";
import { readConfig } from "./config.ts";
import { toProblem } from "./problem.ts";

export type Env = { Variables: { apiKey?: string } };

/** Everything that answers a request, in the order in which it is asked. */
export function createApp(config = readConfig()) {
  const app = new Hono<Env>();
  app.use(logger());
  app.route("/v1", router(config));
  app.get("/health", (c) => c.json({ ok: true }));

  app.notFound((c) => {
    return c.json({ code: "NOT_FOUND", path: c.req.path }, 404);
  });

  app.onError((error, c) => {
    return toProblem(error, c);
  });
  return app;
}
`;

const files: Readonly<Record<string, string>> = {
  "src/server.ts": server,
  "src/config.ts": `export type Config = { port: number };\n\nexport function readConfig(): Config {\n  return { port: 8080 };\n}\n`,
  "src/shim.ts":
    "// For Node 18.\nexport const structuredClone = globalThis.structuredClone ?? ((x) => JSON.parse(JSON.stringify(x)));\n",
  "docs/limits.md": "# Limits\n\nThere are none yet.\n",
  "test/limits.test.ts": `import { test } from "node:test";\n\ntest("nothing is limited", () => {});\n`,
  ".npmrc": "save-exact=true\n",
};

export async function writeReviewFiles(folder: string): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

const bucket = `import { RateLimited } from "./rate-limited.ts";

export type Bucket = { tokens: number; refilledAtMs: number };

/** Takes one token, or says when there will be one. */
export function take(bucket: Bucket, capacity: number, perSecond: number, nowMs: number): Bucket {
  const refilled = bucket.tokens + ((nowMs - bucket.refilledAtMs) * perSecond) / 1000;
  const tokens = Math.min(capacity, refilled);
  if (tokens < 1) throw new RateLimited(Math.ceil((1 - tokens) / perSecond));
  return { tokens: tokens - 1, refilledAtMs: nowMs };
}
`;

const edit = (file: string, find: string, replace: string): object => ({ edit: { path: file, find, replace } });

const steps: readonly object[] = [
  { claim: ["dir:src/limits", "file:src/config.ts"] },
  { say: "A token bucket for each key, in front of /v1. I start with the bucket itself." },
  { write: { path: "src/limits/bucket.ts", content: bucket } },
  edit("src/config.ts", "{ port: number }", "{ port: number; limits: { burst: number; rate: number } }"),
  edit("src/config.ts", "{ port: 8080 }", "{ port: 8080, limits: { burst: 20, rate: 5 } }"),
  {
    run: "printf ' \\342\\234\\223 refills at the configured rate\\n \\342\\234\\223 bursts up to capacity\\n'; echo 'Tests  11 passed (2.1 s)'",
  },
  edit(
    "docs/limits.md",
    "There are none yet.",
    "Each key has a bucket of 20 and gets 5 a second.\n`Retry-After` says when to come back.",
  ),
  edit(
    "test/limits.test.ts",
    'test("nothing is limited", () => {});',
    'import { take } from "../src/limits/bucket.ts";\n\ntest("bursts up to capacity", () => {\n  take({ tokens: 1, refilledAtMs: 0 }, 20, 5, 0);\n});',
  ),
  { run: "rm src/shim.ts && printf '\\000\\001\\377limits' > docs/limits.bin && chmod +x test/limits.test.ts" },
  edit(".npmrc", "save-exact=true", "save-exact=true\nignore-scripts=true"),
  {
    run: "printf ' \\342\\234\\223 refills at the configured rate\\n \\342\\234\\223 bursts up to capacity\\n \\342\\234\\223 two keys do not share a bucket\\n'; echo 'Tests  12 passed (2.3 s)'",
  },
  { say: "Done: 12 tests pass. The header names are those that you asked to keep." },
];

/** Three hunks of one file. */
const serverEdits: readonly object[] = [
  edit(
    "src/server.ts",
    'import { router } from "./router.ts";\n',
    'import { limit } from "./limits/index.ts";\nimport { router } from "./router.ts";\n',
  ),
  edit(
    "src/server.ts",
    "  app.use(logger());\n",
    '  app.use(logger({ skip: isHealth }));\n  app.use("/v1/*", limit({\n    capacity: config.limits.burst,\n    refillPerSecond: config.limits.rate,\n    keyOf: (c) => c.get("apiKey") ?? clientIp(c),\n  }));\n',
  ),
  edit(
    "src/server.ts",
    "  app.onError((error, c) => {\n",
    '  app.onError((error, c) => {\n    if (error instanceof RateLimited) {\n      c.header("Retry-After", String(error.retryAfterSeconds));\n      return c.json({ code: "RATE_LIMITED" }, 429);\n    }\n',
  ),
];

/** What the run does, one call after the other. */
export const reviewSteps: readonly object[] = [...serverEdits, ...steps];
