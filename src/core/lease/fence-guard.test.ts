import { expect, test } from "vitest";
import { FenceGuard } from "./fence-guard.ts";
import { parseUnit, type Unit } from "./unit.ts";

const rule = { foldCase: false, ownProcesses: new Set<string>() };

function unit(text: string): Unit {
  const parsed = parseUnit(text, rule, "");
  if (!parsed.ok) throw new Error(parsed.refusal.why);
  return parsed.value;
}

function guarded(...grants: readonly [family: string, text: string, fence: number][]): FenceGuard {
  const guard = new FenceGuard();
  for (const [family, text, fence] of grants) guard.granted({ family, unit: unit(text), fence });
  return guard;
}

test("[LS29] an act that a newer grant to somebody else has overtaken is refused", () => {
  const guard = guarded(["A", "file:u", 5]);
  expect(guard.check({ family: "A", fence: 5, unit: unit("file:u") })).toBe("ok");
  guard.granted({ family: "B", unit: unit("file:u"), fence: 9 });
  expect(guard.check({ family: "A", fence: 5, unit: unit("file:u") })).toBe("stale-fence");
  expect(guard.check({ family: "B", fence: 9, unit: unit("file:u") })).toBe("ok");
});

test("[LS29] a family's own newer grant does not make its older one stale", () => {
  const guard = guarded(["A", "file:a/x", 5], ["A", "dir:a", 9]);
  // Comparing with the highest fence seen would refuse the valid 5 once dir:a is given back.
  expect(guard.check({ family: "A", fence: 5, unit: unit("file:a/x") })).toBe("ok");
});

test("[LS29] a stale folder does not write under somebody's new file, nor the other way round", () => {
  const guard = guarded(["A", "dir:a", 5], ["B", "file:a/x", 9]);
  // Comparing only the same unit would let it through.
  expect(guard.check({ family: "A", fence: 5, unit: unit("file:a/x") })).toBe("stale-fence");
  expect(guard.check({ family: "A", fence: 5, unit: unit("file:a/y") })).toBe("ok");
  guard.granted({ family: "C", unit: unit("dir:"), fence: 12 });
  expect(guard.check({ family: "B", fence: 9, unit: unit("file:a/x") })).toBe("stale-fence");
});

test("[LS29] a family that is known to be over acts no more, and the same unit is kept once", () => {
  const guard = guarded(["A", "file:u", 1], ["B", "file:u", 2], ["C", "file:u", 3]);
  expect(guard.size).toBe(1);
  guard.ended("C");
  expect(guard.check({ family: "C", fence: 3, unit: unit("file:u") })).toBe("expired");
});

test("[LS12] an act on what was given back is refused, although nobody else was granted it", () => {
  const guard = guarded(["A", "file:u", 5], ["A", "file:v", 6]);
  guard.givenBack({ family: "A", unit: unit("file:u") });
  expect(guard.check({ family: "A", fence: 5, unit: unit("file:u") })).toBe("stale-fence");
  expect(guard.check({ family: "A", fence: 6, unit: unit("file:v") })).toBe("ok");
  guard.granted({ family: "A", unit: unit("file:u"), fence: 7 });
  expect(guard.check({ family: "A", fence: 7, unit: unit("file:u") })).toBe("ok");
  expect(guard.check({ family: "A", fence: 5, unit: unit("file:u") })).toBe("stale-fence");
});

test("[LS12] giving a unit back ends every fence that its family had on it", () => {
  const guard = guarded(["A", "file:u", 5], ["A", "file:u", 8]);
  expect(guard.check({ family: "A", fence: 5, unit: unit("file:u") })).toBe("ok");
  guard.givenBack({ family: "A", unit: unit("file:u") });
  expect(guard.check({ family: "A", fence: 5, unit: unit("file:u") })).toBe("stale-fence");
});

test("[LS29] after a restart a fence that nobody holds any more is over, whatever became of it", () => {
  const guard = guarded(["A", "file:u", 5]);
  guard.primed(9, new Set([5]));
  expect(guard.check({ family: "A", fence: 5, unit: unit("file:u") })).toBe("ok");
  expect(guard.check({ family: "A", fence: 6, unit: unit("file:v") })).toBe("stale-fence");
  guard.granted({ family: "A", unit: unit("file:v"), fence: 9 });
  expect(guard.check({ family: "A", fence: 9, unit: unit("file:v") })).toBe("ok");
});

test("[LS29] a grant that is heard of late still overtakes what was before it", () => {
  const guard = guarded(["B", "file:u", 9], ["A", "file:u", 5]);
  // Were only the newest known, B's own, its act from before A would pass.
  expect(guard.check({ family: "B", fence: 4, unit: unit("file:u") })).toBe("stale-fence");
  expect(guard.check({ family: "B", fence: 9, unit: unit("file:u") })).toBe("ok");
  expect(guard.check({ family: "A", fence: 5, unit: unit("file:u") })).toBe("stale-fence");
});
