import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { CoreWorld } from "../../test/support/core-world.ts";
import { makeTempFolder } from "../../test/support/temp-folder.ts";
import type { Input } from "../core/inputs.ts";
import { OldOutputs } from "./old-outputs.ts";

class Rig {
  readonly world = new CoreWorld();
  readonly project = this.world.project();
  readonly folder = makeTempFolder();
  readonly submitted: Input[] = [];
  submit = async (input: Input): Promise<void> => {
    this.submitted.push(input);
    this.world.ok(input, "system");
  };

  open(): OldOutputs {
    const { world, folder } = this;
    return new OldOutputs({
      ...{ calls: join(folder, "calls"), models: join(folder, "models"), state: () => world.state },
      ...{ nowMs: () => world.nowMs, submit: (input) => this.submit(input) },
    });
  }

  over(runner = "script"): string {
    const run = this.world.started({ project: this.project, runner });
    this.world.finish(run);
    this.world.stopped(run);
    return run;
  }

  write(run: string, ...names: readonly string[]): void {
    for (const name of names) {
      const file = join(this.folder, name.replace("RUN", run));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "x".repeat(100));
    }
  }
}

const said = ["calls/RUN/3/output", "calls/RUN/validate-7/output", "calls/RUN/own/1-5", "models/RUN/q_1.json.gz"];
const published = ["calls/RUN/artifacts/report.md", "calls/RUN/asked/abc", "calls/RUN/attached/design.md"];

test("[RN50] what was said goes after the log says so, and what was published stays", async () => {
  const rig = new Rig();
  const run = rig.over();
  rig.write(run, ...said, ...published, "calls/RUN/artifacts/command-1");
  const living = rig.world.started({ project: rig.project });
  rig.write(living, ...said);
  rig.world.policy("nothing", { outputBytes: 0 });
  const outputs = rig.open();
  expect(await outputs.forget(true)).toEqual({ count: 1, bytes: 400 });
  expect([rig.submitted, existsSync(join(rig.folder, "models", run, "q_1.json.gz"))]).toEqual([[], true]);
  expect(await outputs.forget(false)).toEqual({ count: 1, bytes: 400 });
  expect(rig.submitted).toEqual([{ type: "outputs.forget", run, because: "size", files: 4, bytes: 400 }]);
  const isThere = (of: string) => (name: string) => existsSync(join(rig.folder, name.replace("RUN", of)));
  expect(said.filter(isThere(run))).toEqual([]);
  expect([...published, "calls/RUN/artifacts/command-1"].filter(isThere(run))).toHaveLength(4);
  expect(said.filter(isThere(living))).toEqual(said);
  expect(await outputs.forget(false)).toEqual({ count: 0, bytes: 0 });
});

test("[RN50] a daemon that ended before the files went takes them away, and says it once", async () => {
  const rig = new Rig();
  const run = rig.over("command");
  rig.write(run, "calls/RUN/artifacts/command-1");
  rig.world.policy("nothing", { outputDays: 0 });
  rig.world.pass(1);
  const { submit } = rig;
  rig.submit = async (input) => {
    await submit(input);
    throw new Error("killed");
  };
  await expect(rig.open().forget(false)).rejects.toThrow("killed");
  rig.submit = submit;
  expect(await rig.open().forget(false)).toEqual({ count: 1, bytes: 100 });
  expect(rig.submitted).toHaveLength(1);
  expect(readdirSync(join(rig.folder, "calls", run, "artifacts"))).toEqual([]);
});
