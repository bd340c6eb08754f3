import type { DoorAnswer } from "../../ports/runner.ts";
import { failed } from "./act-result.ts";
import type { Artifacts } from "./artifacts.ts";

/** How much of an artifact one answer has. */
const bytesMax = 32 * 1024;

/** A part of an artifact for a model, or what there is. */
export async function showArtifact(artifacts: Artifacts, name: string | null, from: number): Promise<DoorAnswer> {
  const list = async (): Promise<string> =>
    (await artifacts.list()).map(({ name: each, bytes }) => `${each}  ${bytes} bytes`).join("\n");
  if (name === null) return { ok: true, text: await list(), exit: null, note: "the artifacts of this run" };
  const part = await artifacts.read(name, from, bytesMax);
  if (part === undefined) return failed("no-file", `there is no artifact ${name}; there is:\n${await list()}`).answer;
  const note = `${name}, bytes ${part.from} to ${part.from + part.bytes.length} of ${part.total}`;
  return { ok: true, text: part.bytes.toString("utf8"), exit: null, note };
}
