// Back to an earlier step of a run, and on from there in another one, by the command line alone.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SampleProject } from "../support/sample-project.ts";
import { Sandbox } from "./cli-process.ts";

type Run = { run: string; state: string; because: string | null; forkOf: { run: string; step: number } | null };

describe("steps", () => {
  const box = new Sandbox();
  const sample = new SampleProject({ "a.txt": "one\n", "b.txt": "b\n" });
  const changes = box.script(
    "changes.yaml",
    `task: change a file three times
steps:
  - edit: { path: a.txt, find: "one\\n", replace: "two\\n" }
  - edit: { path: a.txt, find: "two\\n", replace: "three\\n" }
  - run: echo made > new.txt
`,
  );
  const reader = box.script(
    "reader.yaml",
    `task: write down what a file says
steps:
  - read: a.txt
  - write: { path: notes.txt, content: "it says one\\n" }
`,
  );
  afterAll(async () => {
    await box.close();
    sample.remove();
  });
  beforeAll(async () => {
    await box.ok("up", "-d", "--port", "0");
    await box.ok("project", "add", sample.root, "--name", "shop");
    await box.ok("policy", "set", "look", "--project", "shop", "--approval-required");
  });

  async function untilInReview(run: string): Promise<Run> {
    for (;;) {
      const { run: seen } = await box.json<{ run: Run }>("inspect", run);
      if (seen.state === "review") return seen;
      if (seen.state === "failed") throw new Error(`${run} failed: ${seen.because}`);
    }
  }

  test("[LD34] a workspace goes back, what is given up can be had again, and a fork goes on from the step", async () => {
    const { run } = await box.json<Run>("run", "--project", "shop", "--script", changes);
    await untilInReview(run);
    const { stderr } = await box.run("rewind", run, "--step", "0");
    expect(stderr).toContain(`The workspace of ${run} is as it was after step 0.`);
    const diff = await box.ok("diff", run);
    expect(diff).toContain("+two");
    expect(diff).not.toContain("new.txt");
    const trash = await box.ok("trash", "list", "--run", run);
    expect(trash).toContain("new.txt");
    expect(trash).toContain("rewound to step 0");
    expect(await box.run("rewind", run, "--step", "99")).toMatchObject({ code: 4 });

    const { run: fork } = await box.json<Run>("fork", run, "--step", "1");
    // What it begins with is still the other one's; when that is given up, it goes on.
    await box.ok("reject", run, "-m", "the other one goes on");
    expect(await untilInReview(fork)).toMatchObject({ forkOf: { run, step: 1 } });
    const forked = await box.ok("diff", fork);
    expect(forked).toContain("+three");
    expect(forked).toContain("new.txt");
    const { run: other } = await box.json<Run>("run", "--project", "shop", "--script", reader);
    await untilInReview(other);
    expect((await box.run("diff", other)).stderr).not.toContain("Read before");
    await box.ok("land", fork);
    expect(sample.read("a.txt")).toBe("three\n");
    expect((await box.run("diff", other)).stderr).toContain("Read before somebody else changed it: a.txt.");
  });
});
