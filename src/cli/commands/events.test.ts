import { expect, test } from "vitest";
import { tryCli } from "../testing/try-cli.ts";

test("events asks for the types that are wanted, and leaves out those that are not", async () => {
  const answers = { status: { seq: 9, openings: [] }, "events.read": { events: [], next: 9, more: false } };
  const words = ["events", "--run", "r_1a", "--type", "run.", "--except", "lease.renewed", "--except", "run.heard"];
  const { calls } = await tryCli(words, answers);
  const filter = { types: ["run."], except: ["lease.renewed", "run.heard"], run: "r_1a" };
  expect(calls).toContainEqual(["events.read", { ...filter, after: 0, limit: 1000 }]);
});
