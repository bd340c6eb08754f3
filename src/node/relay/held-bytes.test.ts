import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { search } from "../../../test/support/search.ts";
import { TestClock } from "../../../test/support/test-clock.ts";
import { type Full, HeldBytes, type Room } from "./held-bytes.ts";

const limits = { shareBytes: 10, cageBytesMax: 60, poolBytes: 100, waitMsMax: 1000 };
const { signal: stays } = new AbortController();

function make(): { clock: TestClock; held: HeldBytes; hold: (cage: string, bytes: number) => Asked } {
  const clock = new TestClock();
  const held = new HeldBytes({ clock, ...limits });
  return { clock, held, hold: (cage, bytes) => follow(held.take(cage, bytes, stays)) };
}

type Asked = { readonly promise: Promise<Room | Full>; outcome: Room | Full | undefined };
function follow(promise: Promise<Room | Full>): Asked {
  const asked: Asked = { promise, outcome: undefined };
  void promise.then((outcome) => (asked.outcome = outcome));
  return asked;
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const granted = async (asked: Asked): Promise<Room> => {
  const outcome = await asked.promise;
  if (typeof outcome === "string") throw new Error(`no room: ${outcome}`);
  return outcome;
};

describe("what is held for cages", () => {
  test("[BG24] one cage has a part of it, and hears after a while that there is no more", async () => {
    const { clock, held, hold } = make();
    await granted(hold("a", 50));
    const more = hold("a", 11);
    await settle();
    expect([more.outcome, held.bytes]).toEqual([undefined, 50]);
    clock.advance(1000);
    expect(await more.promise).toBe("cage");
    await granted(hold("a", 10));
    expect(clock.nextMs).toBeUndefined();
  });

  test("[BG24] all together have a bound, beyond which only what is each one's own is left", async () => {
    const { clock, hold } = make();
    await granted(hold("a", 60));
    await granted(hold("b", 60));
    const late = hold("c", 11);
    await granted(hold("d", 10));
    await granted(hold("c", 10));
    clock.advance(1000);
    expect(await late.promise).toBe("pool");
  });

  test("[BG24] who came first is let in first, and a small one does not pass a large one that waits", async () => {
    const { hold } = make();
    const [first, second] = [await granted(hold("a", 60)), await granted(hold("b", 50))];
    const large = hold("c", 40);
    const small = hold("d", 12);
    const own = hold("b", 11);
    first.shrinkTo(41);
    await settle();
    expect([large.outcome, small.outcome, own.outcome]).toEqual([undefined, undefined, undefined]);
    second.release();
    await Promise.all([granted(large), granted(small), granted(own)]);
  });

  test("[BG24] a cage that waits for itself keeps nobody waiting", async () => {
    const { hold } = make();
    const first = await granted(hold("a", 60));
    const own = hold("a", 20);
    await granted(hold("b", 40));
    expect(own.outcome).toBeUndefined();
    first.release();
    await granted(own);
  });

  test("[BG24] who leaves waits no more, and those behind come in", async () => {
    const { held, hold } = make();
    await granted(hold("a", 60));
    await granted(hold("b", 50));
    const left = new AbortController();
    const large = held.take("c", 60, left.signal);
    const small = hold("d", 15);
    left.abort();
    expect(await large).toBe("pool");
    await granted(small);
    expect(await held.take("e", 1, left.signal)).toBe("pool");
  });

  test("[BG24] what grows takes what is free, and nothing that somebody waits for", async () => {
    const { hold } = make();
    const first = await granted(hold("a", 50));
    await granted(hold("b", 60));
    const large = hold("c", 30);
    const other = await granted(hold("d", 5));
    expect([first.grow(1), other.grow(5), other.grow(1)]).toEqual([false, true, false]);
    first.release();
    await granted(large);
    expect([other.grow(20), other.grow(11)]).toEqual([true, false]);
  });

  test("[BG24] property: no bound is ever passed, and what is given back is free", async () => {
    const act = fc.record({
      cage: fc.constantFrom("a", "b", "c", "d"),
      bytes: fc.integer({ min: 0, max: 70 }),
      release: fc.option(fc.nat(20)),
      growBy: fc.option(fc.nat(30)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
        const { clock, held, hold } = make();
        const live: { cage: string; bytes: number; room: Room }[] = [];
        const sum = (cage: string): number =>
          live.filter((each) => each.cage === cage).reduce((bytes, each) => bytes + each.bytes, 0);
        const take = ({ cage, bytes }: { cage: string; bytes: number }): Asked => {
          const asked = hold(cage, bytes);
          void asked.promise.then((got) => typeof got !== "string" && live.push({ cage, bytes, room: got }));
          return asked;
        };
        for (const { cage, bytes, release, growBy } of acts) {
          take({ cage, bytes });
          await settle();
          const grows = live.at(-1);
          if (growBy !== null && grows?.room.grow(growBy) === true) grows.bytes += growBy;
          const [gone] = release === null ? [] : live.splice(release % (live.length + 1), 1);
          gone?.room.release();
          await settle();
          const cages = ["a", "b", "c", "d"].map(sum);
          expect(held.bytes).toBe(cages.reduce((all, each) => all + each, 0));
          expect(Math.max(...cages)).toBeLessThanOrEqual(limits.cageBytesMax);
          const pooled = cages.map((each) => Math.max(0, each - limits.shareBytes));
          expect(pooled.reduce((all, each) => all + each, 0)).toBeLessThanOrEqual(limits.poolBytes);
        }
        clock.advance(1000);
        await settle();
        for (const each of live) each.room.release();
        expect(held.bytes).toBe(0);
        expect(clock.nextMs).toBeUndefined();
        await granted(hold("a", limits.cageBytesMax));
      }),
      search(200),
    );
  });
});
