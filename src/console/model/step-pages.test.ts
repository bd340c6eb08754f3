import { expect, test } from "vitest";
import type { RunStep } from "../../protocol/wire/story.ts";
import { toStepQuestion } from "./step-pages.ts";

const page = {
  from: 100,
  rows: Array.from({ length: 100 }, (_, at) => ({ call: 2 * (100 + at) }) as RunStep),
};
const nobody = { page, call: null, wanted: null, count: 1000 };

test.each([
  ["nobody looks at a step", nobody, null],
  ["the step is there", { ...nobody, call: 300 }, null],
  ["there is no page yet", { ...nobody, page: null, call: 300 }, { step: 300 }],
  ["the step is elsewhere", { ...nobody, call: 1800 }, { step: 1800 }],
  ["it is near the beginning of the page", { ...nobody, call: 204 }, { step: 204 }],
  ["it is near the end of the page", { ...nobody, call: 396 }, { step: 396 }],
  ["that is the end of all", { ...nobody, call: 396, count: 200 }, null],
  ["a place is wanted that is there", { ...nobody, wanted: 150 }, null],
  ["a place is wanted that is not", { ...nobody, call: 300, wanted: 700 }, { place: 700 }],
  ["there is no step at all", { ...nobody, page: null, call: 3, count: 0 }, null],
] as const)("what is asked for where %s", (_, now, question) => {
  expect(toStepQuestion(now)).toEqual(question);
});
