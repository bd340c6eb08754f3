import { expect, test } from "vitest";
import { mayNeedSomebody } from "./inbox-events.ts";

test.each([
  ["a service that was started again or stopped", "service.moved"],
  ["one that was found not to be well", "service.judged"],
  ["one whose restart waits", "service.held"],
  ["one that failed", "service.failed"],
  ["one that nobody wants any more", "service.wished"],
  ["a holder that is gone", "family.ended"],
  ["a unit that a person opened", "unit.cleared"],
  ["a run that asks", "run.asked"],
])("the inbox is asked for again after %s", (_, type) => {
  expect(mayNeedSomebody({ type })).toBe(true);
});

test.each(["lease.renewed", "claim.queued", "family.opened", "call.started", "service.scheduled", "terminal.opened"])(
  "%s changes nothing in the inbox",
  (type) => {
    expect(mayNeedSomebody({ type })).toBe(false);
  },
);
