import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const endToEnd = "test/e2e/**/*.test.ts";
/**
 * Tests of code that keeps nothing of its own between calls: no process, file, socket or variable of a module. The console has such
 * variables, but only a page in a browser sets them, and these tests have none; timers that a test swaps it swaps back.
 */
const plain = "src/{base,client,console,core,engine,mcp,protocol}/**/*.test.{ts,tsx}";

export default defineConfig({
  // Views are made by our own JSX runtime, which has no second one for development.
  oxc: { jsx: { development: false } },
  test: {
    // A run that found nothing to run has proven nothing.
    passWithNoTests: false,
    // A test that passes on the second try has failed: our tests control their clock and their chance.
    retry: 0,
    // Processes of tests are those that people run.
    globalSetup: "test/support/build-program.ts",
    allowOnly: false,
    // Tests of keepers, git and daemons wait for the disk half of their time: one file more than there are cores keeps both busy.
    maxWorkers: availableParallelism() + 1,
    // What is waited for comes when the machine gets to it.
    expect: { poll: { timeout: 30_000 } },
    // Colours, locale and time zone of the machine must not decide a result. What one daemon or command of a test has
    // compiled is good for all others, as it is for people who start `bin/signalbox`.
    env: { TZ: "UTC", NO_COLOR: "1", NODE_COMPILE_CACHE: join(import.meta.dirname, ".cache/compile") },
    projects: [
      {
        extends: true,
        test: {
          name: "plain",
          include: [plain],
          // One process reads the code once for all of them, which is half of what they cost.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{src,sim,bench,scripts,test}/**/*.test.{ts,tsx}"],
          exclude: [endToEnd, plain],
          // A machine that is busy with other things is slow, not wrong.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: [endToEnd],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
