import { expect } from "vitest";
import { MemoryMainline } from "../../src/adapters/git/memory-mainline.ts";
import type { Input } from "../../src/core/inputs.ts";
import { type Entry, entryOf } from "../../src/core/landing/entry.ts";
import type { Project } from "../../src/core/project/project.ts";
import { type LandAct, Lander, type TestOutcome } from "../../src/node/landing/lander.ts";
import { CoreWorld } from "./core-world.ts";
import { type Files, land, textAt } from "./memory-workspace.ts";

/** The real core, a mainline in memory, and a lander between them. */
export class LandingRig {
  readonly core = new CoreWorld();
  readonly mainline = new MemoryMainline();
  readonly reports: Input[] = [];
  readonly noted: (readonly [run: string, paths: readonly string[]])[] = [];
  readonly tested: string[] = [];
  /** What the project's test says of each candidate, in order. */
  readonly verdicts: TestOutcome[] = [];
  /** Happens before a report is taken; what it throws is the end of this daemon. */
  beforeReport: (input: Input) => void | Promise<void> = () => undefined;
  lander = this.#makeLander();

  static async with(files: Files): Promise<LandingRig> {
    const rig = new LandingRig();
    const commit = await land(rig.mainline, files);
    rig.mainline.person.tip = commit;
    rig.core.project({ commit });
    return rig;
  }

  /** A run that has finished with these files and waits for its landing. */
  async finished(files: Files): Promise<string> {
    const run = this.core.started();
    await this.change(run, files);
    this.core.finish(run);
    return run;
  }

  async change(run: string, files: Files): Promise<void> {
    const paths = Object.keys(files);
    this.core.begin(
      run,
      "write",
      paths.map((path) => `file:${path}`),
    );
    this.core.refresh();
    const bases = await this.mainline.entriesAt(await this.mainline.head(), paths);
    const works = [];
    for (const [path, text] of Object.entries(files))
      works.push({ path, base: bases.get(path) ?? null, work: await this.#entry(text) });
    this.core.finishCall(run, paths, works);
  }

  act(run: string): LandAct {
    const act = this.core.pending().find((each) => each.type === "land" && each.run === run);
    if (act?.type !== "land") throw new Error(`${run} is not landing: ${this.core.run(run).state}`);
    return act;
  }

  /** The daemon dies, and another one takes up what is to be done. */
  restart(): void {
    this.beforeReport = () => undefined;
    this.lander = this.#makeLander();
  }

  get project(): Project {
    return [...this.core.state.projects.values()][0] ?? expect.fail("there is a project");
  }

  text(path: string): Promise<string | null> {
    return textAt(this.mainline, path);
  }

  get landed(): string[] {
    return this.core.log.flatMap((event) => (event.type === "run.landed" ? event.run : []));
  }

  #makeLander(): Lander {
    return new Lander({
      state: () => this.core.state,
      report: async (input) => {
        await this.beforeReport(input);
        this.reports.push(input);
        return this.core.give(input, "system");
      },
      mainlineOf: async () => this.mainline,
      test: async (_run, _project, commit) => {
        this.tested.push(commit);
        return this.verdicts.shift() ?? { tested: "passed" };
      },
      noteLanded: async (run, entries) => void this.noted.push([run.id, [...entries.keys()]]),
      wallMs: () => this.core.nowMs,
    });
  }

  async #entry(text: string | null): Promise<Entry> {
    return text === null ? null : entryOf("100644", await this.mainline.writeBlob(Buffer.from(text)));
  }
}
