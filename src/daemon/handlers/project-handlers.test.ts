import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { Context } from "../context.ts";
import type { DaemonParts } from "../parts.ts";
import { projectHandlers } from "./project-handlers.ts";

test("a project that cannot be looked at by a mistake of ours is answered, and the daemon goes on", async () => {
  const world = new CoreWorld();
  const project = world.project();
  const defects: unknown[] = [];
  const mistake = new TypeError("a mistake");
  const parts = {
    engine: { state: world.state, nowMs: () => 1 },
    mainlines: { of: () => Promise.reject(mistake) },
    onDefect: (error: unknown) => void defects.push(error),
  } as unknown as DaemonParts;
  const context = new Context(parts, {} as unknown as ConstructorParameters<typeof Context>[1]);
  const caller = { actor: "person:p", face: "person", signal: undefined } as const;
  const answer = await new Promise<unknown>((resolve) =>
    projectHandlers["project.get"](context, { project }, caller, resolve),
  );
  expect(answer).toMatchObject({ ok: false, refusal: { code: "internal" } });
  expect(defects).toEqual([mistake]);
});
