import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { CoreWorld } from "../../test/support/core-world.ts";
import { makeTempFolder } from "../../test/support/temp-folder.ts";
import type { Input } from "../core/inputs.ts";
import { OldOutputs } from "./old-outputs.ts";
import { ExchangeFiles } from "./relay/exchange-files.ts";

class Rig {
  readonly world = new CoreWorld();
  readonly project = this.world.project();
  readonly folder = makeTempFolder();
  readonly exchanges = new ExchangeFiles(join(this.folder, "models"), 400);
  readonly submitted: Input[] = [];
  submit = async (input: Input): Promise<{ readonly ok: boolean }> => {
    this.submitted.push(input);
    return this.world.give(input, "system");
  };

  open(): OldOutputs {
    const { world, folder } = this;
    return new OldOutputs({
      ...{ calls: join(folder, "calls"), models: join(folder, "models"), state: () => world.state },
      forgetExchanges: (run) => this.exchanges.forget(run),
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

const isThereOf =
  (rig: Rig, run: string) =>
  (name: string): boolean =>
    existsSync(join(rig.folder, name.replace("RUN", run)));

test("[RN50] what the core does not let go stays, and so does what somebody asks for again before it went", async () => {
  const rig = new Rig();
  const [early, late] = [rig.over(), rig.over()];
  for (const run of [early, late]) rig.write(run, ...said);
  rig.world.policy("nothing", { outputBytes: 0 });
  const { submit } = rig;
  rig.submit = async (input) => {
    const isEarly = input.type === "outputs.forget" && input.run === early;
    const again = (run: string): void => void rig.world.ok({ type: "run.continue", run, message: "more" });
    if (isEarly) again(early);
    const outcome = await submit(input);
    if (!isEarly) again(late);
    return outcome;
  };
  expect(await rig.open().forget(false)).toEqual({ count: 0, bytes: 0 });
  expect(rig.submitted).toMatchObject([{ run: early }, { run: late }]);
  for (const run of [early, late]) expect(said.filter(isThereOf(rig, run))).toEqual(said);
});

test("[RN50] what a run writes after it is over, and before it has stopped, counts", async () => {
  const rig = new Rig();
  const run = rig.world.started({ project: rig.project });
  rig.world.finish(run);
  rig.write(run, "calls/RUN/1/output");
  const outputs = rig.open();
  rig.world.policy("nothing", { outputBytes: 0 });
  expect(await outputs.forget(true)).toEqual({ count: 0, bytes: 0 });
  rig.write(run, "calls/RUN/2/output");
  rig.world.stopped(run);
  expect(await outputs.forget(true)).toEqual({ count: 1, bytes: 200 });
});

test("[RN50] a run that is continued has all its room for exchanges again", async () => {
  const rig = new Rig();
  const run = rig.over();
  rig.world.policy("nothing", { outputBytes: 0 });
  const ask = (request: string): Promise<string | null> => {
    const [body, answer] = [Buffer.from(randomBytes(100).toString("hex")), Buffer.from("yes")];
    const exchange = {
      request,
      method: "POST",
      target: "/v1",
      body,
      status: 200,
      contentType: "",
      answer,
      isCut: false,
    };
    return rig.exchanges.keep(run, exchange, []);
  };
  expect([await ask("q_1"), await ask("q_2")]).toEqual([`${run}/q_1.json.gz`, null]);
  expect(await rig.open().forget(false)).toMatchObject({ count: 1 });
  expect(await ask("q_3")).toBe(`${run}/q_3.json.gz`);
});
