// Many runs change the same few files of a real repository, in every way there is, while the daemon, keepers and commands are
// killed and a person goes on working in their own checkout. Afterwards: mainline was never red, whatever did not land can
// be had back, the person's files are as they left them, and nothing is left over (I28, I41, LD38, LD41).

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Prng } from "../../src/base/prng.ts";
import type { Logged } from "../../src/core/events.ts";
import type { Run } from "../../src/protocol/wire/run.ts";
import { checkLog } from "./rig/check-log.ts";
import { killAtRandom, TortureRig } from "./rig/torture-rig.ts";

const fileCount = 10;
const kinds = ["planned", "planned", "edits", "patch", "careless", "bad", "fails"] as const;
const isPublishedMsMax = 30_000;

/**
 * Every result says in how many files it stands, and stands there whole: a part of one, two at once, a torn file or one that
 * somebody forgot makes it red.
 */
const check = `awk '
/^begin / { if (open != "" || ($2, FILENAME) in here) bad = 1; here[$2, FILENAME]; open = $2; of[$2] = $4; seen[$2]++; next }
/^finish / { if (open != $2) bad = 1; open = ""; next }
/^# end$/ { if (open != "") bad = 1; ends++; next }
{ bad = 1 }
END { for (name in of) if (of[name] != seen[name]) bad = 1; exit bad || ends != ${fileCount} || ARGC != ${fileCount + 1} }
' hot/*
`;
const add = `sed -i "s/^# end$/begin $1 of $2\\nfinish $1\\n# end/" "$3"\n`;

type Work = { readonly name: string; readonly kind: (typeof kinds)[number]; readonly paths: readonly string[] };

export async function hotFiles(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: "string", default: "30" },
      kills: { type: "string", default: "20" },
      seed: { type: "string", default: String(Date.now() % 1e6) },
    },
  });
  console.log(`hot-files: ${values.runs} runs, up to ${values.kills} kills, seed ${values.seed}`);
  const paths = Array.from({ length: fileCount }, (_, at) => `hot/${at}.txt`);
  const files = Object.fromEntries(paths.map((path) => [path, "# end\n"]));
  const own = { "add.sh": add, "check.sh": check, "person.txt": "", "draft.txt": "\n" };
  const rig = await TortureRig.open({ ...files, ...own }, `hot-files-${values.seed}-${process.pid}`);
  try {
    const campaign = new HotFiles(rig, paths, Number(values.seed));
    return await campaign.go(Number(values.runs), Number(values.kills));
  } finally {
    await rig.close();
  }
}

class HotFiles {
  readonly #rig: TortureRig;
  readonly #paths: readonly string[];
  readonly #chance: Prng;
  readonly #works = new Map<string, Work>();
  readonly #draft: string;
  #commits = 0;

  constructor(rig: TortureRig, paths: readonly string[], seed: number) {
    this.#rig = rig;
    this.#paths = paths;
    this.#chance = new Prng(seed);
    this.#draft = `not committed, ${seed}\n`;
  }

  async go(runs: number, kills: number): Promise<boolean> {
    const rig = this.#rig;
    await rig.ask("project.add", { root: rig.sample.root, name: "hot", landingTest: ["sh", "check.sh"] });
    await rig.ask("policy.set", { name: "some", scope: { project: "hot" }, rules: { maxConcurrent: 8 } });
    rig.sample.write({ "draft.txt": this.#draft });
    const over = new AbortController();
    const killing = killAtRandom(rig, this.#chance.stream("kills"), {
      ...{ kills, pauseMs: [200, 1500], signal: over.signal },
    });
    for (let at = 0; at < runs; at++) await this.#submit(at);
    const person = this.#chance.stream("person");
    await rig.untilOver([...this.#works.keys()], (active) => this.#look(active, person));
    over.abort();
    const killed = await killing;
    console.log(`killed: ${killed.daemon} daemons, ${killed.keeper} keepers, ${killed.command} processes of commands`);
    const findings = await this.#findings();
    return this.#judge(findings, await rig.leftovers());
  }

  async #submit(at: number): Promise<void> {
    const chance = this.#chance.stream(`run ${at}`);
    const name = `n${at}`;
    const kind = chance.pick(kinds);
    const paths = [...new Set(Array.from({ length: chance.between(1, 3) }, () => chance.pick(this.#paths)))].toSorted();
    const { mark } = this.#rig;
    const byCommand = paths.map((path) => `sh add.sh ${name} ${paths.length} ${path}`);
    const text = `begin ${name} of ${paths.length}\nfinish ${name}\n# end`;
    const edits = paths.map((path) => ({ edit: { path, find: "# end", replace: text } }));
    const slowly = (command: string): object => ({ run: `: ${mark}; sleep 0.${chance.between(0, 4)}; ${command}` });
    const steps = {
      planned: byCommand.map(slowly),
      edits,
      patch: [slowly("true"), { patch: edits }],
      careless: [slowly(byCommand.join(" && "))],
      bad: [slowly(`echo begin ${name} of 1 >> ${paths[0]}`)],
      fails: [...byCommand.map(slowly), { fail: "on purpose" }],
    }[kind];
    const plan = ["planned", "bad", "fails"].includes(kind) ? paths.map((path) => `file:${path}`) : [];
    const script = JSON.stringify({ task: name, plan, steps });
    const { run } = await this.#rig.ask("run.submit", { project: "hot", runner: "script", script, key: name });
    this.#works.set(run, { name, kind, paths });
  }

  /** What people do meanwhile: they reject what is red, stop a run now and then, and commit their own. */
  async #look(active: readonly Run[], chance: Prng): Promise<void> {
    const rig = this.#rig;
    for (const { id } of active.filter(({ state }) => state === "review"))
      await this.#tryTo("run.reject", { run: id, message: "red" });
    if (chance.chance(0.01)) await this.#tryTo("run.stop", { run: chance.pick(active).id });
    if (!chance.chance(0.1)) return;
    rig.sample.write({ "person.txt": `${rig.sample.read("person.txt")}${this.#commits++}\n` });
    await this.#git("commit", "--quiet", "--message=by hand", "--", "person.txt");
  }

  /** As a person would: while the daemon publishes, the index is its, for a moment. */
  async #git(...args: readonly string[]): Promise<void> {
    const untilMs = performance.now() + isPublishedMsMax;
    for (;;) {
      try {
        execFileSync("git", ["-C", this.#rig.sample.root, ...args], { stdio: "pipe" });
        return;
      } catch (error) {
        if (!String(error).includes("index.lock") || performance.now() > untilMs) throw error;
        await sleep(50);
      }
    }
  }

  /** The run may have gone on meanwhile. */
  async #tryTo(
    name: "run.reject" | "run.stop",
    input: { run: string; message: string } | { run: string },
  ): Promise<void> {
    await this.#rig.ask(name, input as never).catch((error: unknown) => {
      if ((error as { code?: string }).code !== "wrong-state") throw error;
    });
  }

  async #findings(): Promise<string[]> {
    const { sample } = this.#rig;
    const wrong: string[] = [];
    if (sample.read("draft.txt") !== this.#draft) wrong.push("what the person had not committed was overwritten");
    await this.#git("checkout", "--quiet", "--", "draft.txt");
    await this.#untilPublished();
    if (sample.read("person.txt") !== Array.from({ length: this.#commits }, (_, at) => `${at}\n`).join(""))
      wrong.push("the person's own commits are not all there");
    wrong.push(...this.#redCommits(), ...(await this.#lost()));
    return wrong;
  }

  /** Every commit that ever was mainline, tested again from the outside. */
  #redCommits(): string[] {
    const { sample } = this.#rig;
    const commits = sample.git("rev-list", "--reverse", "main").split("\n");
    const red = commits.filter((commit) => {
      const folder = mkdtempSync(join(tmpdir(), "sb-commit-"));
      try {
        const archive = execFileSync("git", ["-C", sample.root, "archive", commit]);
        execFileSync("tar", ["-x", "-C", folder], { input: archive });
        execFileSync("sh", ["check.sh"], { cwd: folder, stdio: "ignore" });
        return false;
      } catch {
        return true;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
    console.log(`${commits.length} commits of mainline, ${red.length} red`);
    return red.map((commit) => `${commit} is red`);
  }

  /** What a run is known to have changed has landed, all of it and once, or is in the trash. */
  async #lost(): Promise<string[]> {
    const wrong: string[] = [];
    const log = await this.#rig.log();
    const states = new Map<string, number>();
    for (const [id, { name, kind, paths }] of this.#works) {
      const { run } = await this.#rig.ask("run.get", { run: id });
      const outcome = `${kind} ${run.state}`;
      states.set(outcome, (states.get(outcome) ?? 0) + 1);
      const landed = paths.filter((path) => this.#rig.sample.read(path).includes(`begin ${name} of`));
      if (run.state !== "done" && landed.length > 0)
        wrong.push(`${id} is ${run.state}, and ${landed.join(", ")} landed`);
      const kept = await this.#inTrash(id, name);
      for (const path of changedBy(log, id))
        if (!landed.includes(path) && !kept.has(path)) wrong.push(`${path} of ${id} (${kind}, ${run.state}) is lost`);
    }
    console.log([...states].map(([outcome, count]) => `${count} ${outcome}`).join(", "));
    const { wrong: inLog } = checkLog(log);
    return [...wrong, ...inLog];
  }

  async #inTrash(run: string, name: string): Promise<Set<string>> {
    const { items } = await this.#rig.ask("trash.list", { run });
    const kept = new Set<string>();
    for (const { id, path } of items) {
      const { base64 } = await this.#rig.ask("trash.get", { id });
      if (Buffer.from(base64 ?? "", "base64").includes(`begin ${name} of`)) kept.add(path);
    }
    return kept;
  }

  /** One more landing, on a checkout that is clean again: it brings the person's last commits in, and all of it to them. */
  async #untilPublished(): Promise<void> {
    const script = JSON.stringify({ task: "last", steps: [{ write: { path: "last.txt", content: "last\n" } }] });
    const { run } = await this.#rig.ask("run.submit", { project: "hot", runner: "script", script, key: "last" });
    await this.#rig.untilOver([run], async () => undefined);
    const untilMs = performance.now() + isPublishedMsMax;
    for (;;) {
      const { project } = await this.#rig.ask("project.get", { project: "hot" });
      if (project.published === project.mainline) return;
      if (performance.now() > untilMs) throw new Error(`not published: ${JSON.stringify(project.notPublished)}`);
      await sleep(50);
    }
  }

  #judge(findings: readonly string[], left: readonly string[]): boolean {
    const wrong = [...findings, ...left.map((what) => `left over: ${what}`)];
    for (const each of wrong) console.log(`WRONG: ${each}`);
    console.log(`${this.#works.size} runs, ${wrong.length} wrong`);
    return wrong.length === 0;
  }
}

/** The paths that the log says a run had changed at some time. */
function changedBy(log: readonly Logged[], run: string): Set<string> {
  const finished = log.filter((event) => event.type === "call.finished" && event.run === run);
  const works = finished.flatMap((event) => (event.type === "call.finished" ? event.works : []));
  return new Set(works.filter(({ base, work }) => base !== work).map(({ path }) => path));
}
