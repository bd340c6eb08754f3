import { expect, test } from "vitest";
import { makeEvent } from "../../../test/support/wire-samples.ts";
import { fetchMoves, type Source } from "./fetch.ts";

test("where more runs moved than are read, it is the oldest moves that are missing", async () => {
  const moved = Array.from({ length: 8000 }, (_, at) => makeEvent(at + 1, "run.moved", { run: "r_1" }));
  const call = (_: string, { after, before, limit }: { after: number; before: number; limit: number }) => {
    const found = moved.filter(({ seq }) => seq > after && seq < before).toReversed();
    const events = found.slice(0, limit);
    return Promise.resolve({ events, next: events.at(-1)?.seq ?? 0, more: found.length > limit, at: 8000 });
  };
  const moves = await fetchMoves({ call } as unknown as Source, 8000);
  expect(moves.map(({ seq }) => seq)).toEqual(Array.from({ length: 3000 }, (_, at) => 5001 + at));
});
