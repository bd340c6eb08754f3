import { expect, test } from "vitest";
import { makeState } from "../core/state.ts";
import { matchesItself, toEventFilter } from "./event-filter.ts";

const state = makeState();
const granted = { type: "lease.granted", family: "r_5.1", units: ["file:src/a.ts", "process:test"] };
const landed = { type: "run.landed", run: "r_5", entries: [{ path: "src/deep/b.ts" }] };
const judged = { type: "service.judged", agent: "a_9", service: "web", what: "no answer on port 80" };

test.each([
  [{ unit: "file:src/a.ts" }, [true, false, false]],
  [{ unit: "dir:src" }, [true, true, false]],
  [{ unit: "file:src/deep/b.ts/c" }, [false, true, false]],
  [{ unit: "process:test" }, [true, false, false]],
  [{ unit: "process:build" }, [false, false, false]],
  [{ agent: "a_9" }, [false, false, true]],
  [{ find: "NO ANSWER" }, [false, false, true]],
  [{ find: "src/" }, [true, true, false]],
  // The names of fields are not what an event says.
  [{ find: "units" }, [false, false, false]],
  [{ except: ["lease.granted", "service."] }, [false, true, false]],
  [{ types: ["lease.", "run."], except: ["run."] }, [true, false, false]],
  [{ except: [] }, [true, true, true]],
  [{ types: ["lease.", "run."], find: "r_5" }, [true, true, false]],
])("%o is found in what events say", (wanted, matches) => {
  const filter = toEventFilter(state, wanted);
  expect([granted, landed, judged].map((event) => matchesItself(filter, event))).toEqual(matches);
});

test("what is no unit, and an agent that nobody knows, are refused", () => {
  expect(() => toEventFilter(state, { unit: "src/a.ts" })).toThrow('"src/a.ts" is not a unit');
  expect(() => toEventFilter(state, { agent: "shop-1" })).toThrow('no agent "shop-1"');
});
