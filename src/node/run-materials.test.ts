import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Fault } from "../base/fault.ts";
import { layOut, scriptOf } from "./run-materials.ts";
import { Artifacts, isArtifactName } from "./tool-host/artifacts.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sbm-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const materials = {
  readScript: () => Promise.reject(new Fault("blob-missing", { retry: "never", message: "it is gone" })),
  readBlob: async (name: string) => (name === "b" ? new TextEncoder().encode("# Limits") : null),
};

test("[TK5] everything that comes along lies with the artifacts, under names that no run takes", async () => {
  const artifacts = new Artifacts(join(folder, "r_1"));
  const unread = await layOut(materials, artifacts, [
    { kind: "note", name: "why", text: "Too much." },
    { kind: "link", name: "issue", url: "https://example.org/7" },
    { kind: "file", name: "design.md", blob: "b", bytes: 8 },
  ]);
  expect(unread).toBeUndefined();
  await artifacts.publish("report.md", Buffer.from("x"));
  expect((await artifacts.list()).map(({ name }) => name)).toEqual([
    "attached-design.md",
    "attached-issue",
    "attached-why",
    "report.md",
  ]);
  expect(String((await artifacts.read("attached-design.md", 2, 100))?.bytes)).toBe("Limits");
  expect(isArtifactName("attached-design.md")).toBe(false);
});

test("[TK5] what nobody can read any more is said, and not waited for", async () => {
  const artifacts = new Artifacts(join(folder, "r_2"));
  const unread = await layOut(materials, artifacts, [{ kind: "file", name: "a", blob: "other", bytes: 1 }]);
  expect(unread?.message).toBe("the bytes of a are not stored here");
  expect(await scriptOf(materials, "s")).toBeInstanceOf(Fault);
  expect(await scriptOf(materials, null)).toBeNull();
});

test("[TK5] what was taken away from the task does not lie there when the run goes on", async () => {
  const artifacts = new Artifacts(join(folder, "r_3"));
  const note = (name: string) => ({ kind: "note", name, text: name }) as const;
  await layOut(materials, artifacts, [note("old"), note("why")]);
  await artifacts.publish("report.md", Buffer.from("x"));
  await layOut(materials, artifacts, [note("why")]);
  expect((await artifacts.list()).map(({ name }) => name)).toEqual(["attached-why", "report.md"]);
  expect(await artifacts.read("attached-old", 0, 100)).toBeUndefined();
});
