import { request as requestHttp } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { kinds, messages, toRequest } from "../../../test/support/model-requests.ts";
import { ask, RelayRig, token } from "../../../test/support/relay-rig.ts";
import { TestClock } from "../../../test/support/test-clock.ts";
import { HeldBytes } from "./held-bytes.ts";

let rig: RelayRig;
afterEach(() => rig.close());

const scenario = `
conversations:
  - name: plain
    match: { marker: hello }
    repeat: true
    turns: [{ say: "Good morning." }]
  - name: held
    match: { marker: hold }
    repeat: true
    turns: [{ say: "Slowly now.", hold: gate }]
`;

describe("what is held for cages", () => {
  const limits = { shareBytes: 1000, cageBytesMax: 30_000, poolBytes: 40_000, waitMsMax: 1000 };
  const large = "x".repeat(19_000);
  /** Counts who asks for room, so that a test can wait for it. */
  async function open(more: { readonly bodyBytesMax?: number } = {}): Promise<{
    held: HeldBytes;
    clock: TestClock;
    askedFor: (count: number) => Promise<void>;
  }> {
    const clock = new TestClock();
    const held = new HeldBytes({ clock, ...limits });
    let [count, look] = [0, (): void => undefined];
    const take = held.take.bind(held);
    held.take = (...given) => {
      count++;
      queueMicrotask(() => look());
      return take(...given);
    };
    rig = await RelayRig.open(scenario, { held, ...more });
    const askedFor = (wanted: number): Promise<void> =>
      new Promise((resolve) => {
        look = () => void (count >= wanted && resolve());
        look();
      });
    return { held, clock, askedFor };
  }

  test.each(kinds)("[BG24] %s: a cage that sends much waits, is refused, and keeps no other waiting", async (kind) => {
    const { held, clock, askedFor } = await open();
    const [{ socket }, other] = [await rig.run(), await rig.run()];
    const first = ask(socket, ...toRequest(kind, `hold ${large}`, false));
    await rig.model.until(() => rig.model.begun.length === 1);
    const second = ask(socket, ...toRequest(kind, `hello ${large}`, false));
    await askedFor(2);
    expect((await ask(other.socket, ...toRequest(kind, "hello", false))).status).toBe(200);
    clock.advance(1000);
    const refused = await second;
    expect([refused.status, refused.headers["x-signalbox-code"], refused.headers["retry-after"]]).toEqual([
      ...[429, "overloaded", "5"],
    ]);
    expect(refused.body.toString()).toContain("[signalbox: overloaded]");
    expect(held.bytes).toBeLessThan(limits.cageBytesMax);
    const third = ask(socket, ...toRequest(kind, `hello ${large}`, false));
    await askedFor(4);
    rig.model.release("gate");
    expect([(await first).status, (await third).status, held.bytes]).toEqual([200, 200, 0]);
  });

  test("[BG24] cages that together hold all that may be held leave the others their share", async () => {
    const { held, clock, askedFor } = await open();
    const cages = [await rig.run(), await rig.run(), await rig.run()];
    const [a, b, c] = cages.map(({ socket }) => socket) as [string, string, string];
    const holding = [a, b].map((socket) => ask(socket, "/v1/messages", messages(`hold ${large}`)));
    await rig.model.until(() => rig.model.begun.length === 2);
    const refused = ask(c, "/v1/messages", messages(`hello ${large}`));
    await askedFor(3);
    expect((await ask(c, "/v1/messages", messages("hello"))).status).toBe(200);
    clock.advance(1000);
    const { status, headers } = await refused;
    expect([status, headers["x-signalbox-code"], headers["retry-after"]]).toEqual([503, "overloaded", "5"]);
    rig.model.release("gate");
    await Promise.all(holding);
    expect(held.bytes).toBe(0);
  });

  test("[BG24] a body that does not say how long it is counts as one that may be the longest, until it is there", async () => {
    const { held, askedFor } = await open({ bodyBytesMax: 20_000 });
    const { socket } = await rig.run();
    const body = JSON.stringify(messages("hold"));
    const sent = requestHttp({
      ...{ socketPath: socket, path: "/v1/messages", method: "POST" },
      headers: { "x-api-key": token, "transfer-encoding": "chunked" },
    });
    const answered = new Promise<number>((resolve) =>
      sent.once("response", (answer) => resolve(answer.resume().statusCode ?? 0)),
    );
    sent.write(body.slice(0, 10));
    await askedFor(1);
    expect(held.bytes).toBe(20_000);
    sent.end(body.slice(10));
    await rig.model.until(() => rig.model.begun.length === 1);
    expect(held.bytes).toBe(Buffer.byteLength(body));
    rig.model.release("gate");
    expect(await answered).toBe(200);
  });
});
