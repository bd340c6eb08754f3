import type { RunnerJob } from "../../src/ports/runner.ts";

/** A job as it is when nothing has happened yet. */
export function makeJob(more: Partial<RunnerJob> = {}): RunnerJob {
  return {
    ...{
      run: "r_1",
      title: "t",
      description: "",
      acceptance: null,
      attachments: [],
      scope: null,
      plan: [],
      script: null,
      command: null,
      settings: null,
    },
    ...{
      callsDone: 0,
      callBegun: false,
      messages: [],
      told: 0,
      heard: null,
      session: null,
      sentBack: null,
      handed: null,
      changed: () => [],
      landed: null,
      away: null,
      placed: null,
      beside: { env: {}, services: [] },
    },
    listen: () => undefined,
    ...more,
  };
}
