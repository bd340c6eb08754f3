import { expect, test } from "vitest";
import { findOrder, type Model, type Operation } from "./linearizability.ts";

type Call = "take" | "give";
type Answer = "yes" | "no";

const lock: Model<string, Call, Answer> = {
  start: "",
  name: (holder) => holder,
  apply: (holder, call, answer, client) => {
    if (call === "take")
      return answer === "yes" ? (holder === "" ? client : undefined) : holder === "" ? undefined : holder;
    return answer === "yes" && holder === client ? "" : undefined;
  },
};

function operation(
  client: string,
  call: Call,
  answer: Answer,
  sentAt: number,
  answeredAt: number,
): Operation<Call, Answer> {
  return { client, call, answer, sentAt, answeredAt };
}

test("operations that overlap may have happened in either order", () => {
  const history = [operation("b", "take", "no", 0, 10), operation("a", "take", "yes", 1, 9)];
  expect(findOrder(history, lock)?.map((each) => each.client)).toEqual(["a", "b"]);
});

test("two holders at once have no explanation", () => {
  const history = [operation("a", "take", "yes", 0, 1), operation("b", "take", "yes", 2, 3)];
  expect(findOrder(history, lock)).toBeUndefined();
});

test("an answer cannot come from before it was asked for", () => {
  const history = [
    operation("a", "take", "yes", 0, 1),
    operation("a", "give", "yes", 2, 3),
    operation("b", "take", "no", 4, 5),
  ];
  expect(findOrder(history, lock)).toBeUndefined();
});
