// A sample repository with agents on it: what there is to see, for somebody who has nothing yet.

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { makeSampleRepository } from "../../adapters/git/sample-repository.ts";
import type { State } from "../../core/state.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operations.ts";
import type { demoOperations } from "../../protocol/operations/demo.ts";
import { runOperations } from "../../protocol/operations/run.ts";
import { addProjectSchema } from "../../protocol/wire/project.ts";
import type { Caller, Context, Handlers } from "../context.ts";
import { type DemoScript, demoScripts, stayingScripts } from "../demo/demo-scripts.ts";
import { addProject } from "./project-handlers.ts";
import { submitRun } from "./run-submit.ts";

export const demoHandlers: Handlers<keyof typeof demoOperations> = {
  "demo.start": (context, input, caller, reply) => context.later(startDemo(context, input, caller), reply),
};

async function startDemo(
  context: Context,
  { folder: wanted, stay }: ParsedInputOf<"demo.start">,
  caller: Caller,
): Promise<OutputOf<"demo.start">> {
  const folder = await makeFolder(wanted);
  const test = ["./test.sh"];
  const name = wanted === undefined ? freeName(context.state) : undefined;
  const order = { root: folder, name, processes: { test: { argv: test } }, landingTest: test };
  const added = await makeSampleRepository(folder)
    .then(() => addProject(context, addProjectSchema.parse(order), caller))
    .catch(async (error: unknown) => {
      // What cannot be a project is not left lying about, least of all in another one.
      await rm(folder, { recursive: true, force: true });
      throw error;
    });
  const { project } = added;
  const seq = context.parts.store.lastSeq;
  const submit = async (scripts: readonly DemoScript[]): Promise<string[]> => {
    const runs: string[] = [];
    for (const { title, script } of scripts) {
      const input = runOperations["run.submit"].input.parse({ project, title, script, tags: ["demo"] });
      runs.push((await submitRun(context, input, caller)).run);
    }
    return runs;
  };
  return {
    folder,
    project,
    name: added.name,
    runs: await submit(demoScripts()),
    staying: await submit(stay ? stayingScripts() : []),
    seq,
  };
}

/** A temporary folder's own name says nothing. */
function freeName(state: State): string {
  const taken = new Set([...state.projects.values()].map((project) => project.name));
  for (let number = 1; ; number++) {
    const name = number === 1 ? "demo-shop" : `demo-shop-${number}`;
    if (!taken.has(name)) return name;
  }
}

async function makeFolder(wanted: string | undefined): Promise<string> {
  if (wanted === undefined) return mkdtemp(path.join(tmpdir(), "signalbox-demo-"));
  try {
    await mkdir(path.dirname(wanted), { recursive: true });
    await mkdir(wanted);
    return wanted;
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "it is refused";
    if (code === "EEXIST")
      throw protocolError("already-there", { kind: "folder", id: wanted, as: "something of yours" }, { cause });
    throw protocolError("bad-input", { where: "folder", why: `it cannot be made there (${code})` }, { cause });
  }
}
