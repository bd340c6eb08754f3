// Which requests count as turns of a run where answers break off.

import { afterEach, expect, test } from "vitest";
import { kinds, messages, toRequest } from "../../../test/support/model-requests.ts";
import { ask, begin, read, RelayRig } from "../../../test/support/relay-rig.ts";

let rig: RelayRig;
afterEach(() => rig.close());

const stream = true;
const scenario = `
conversations:
  - name: plain
    match: { marker: hello }
    repeat: true
    turns: [{ say: "Good morning, and a long text of several pieces." }]
  - name: held
    match: { marker: hold }
    repeat: true
    turns: [{ say: "Slowly now, one piece after the other.", hold: gate }]
  - name: cut
    match: { marker: broken }
    repeat: true
    turns: [{ say: "This is cut off in the middle of it all.", cut: 5 }]
  - name: failing
    match: { marker: fail }
    repeat: true
    turns: [{ error: { status: 529, type: overloaded_error, message: "too many" } }]
  - name: half
    match: { marker: half }
    turns:
      - { say: "This is cut off in the middle of it all.", cut: 5 }
      - { error: { status: 529 } }
      - { say: "Slowly now.", hold: half }
      - { say: "Slowly now.", hold: half }
`;

test.each(kinds)("[PF14] %s: the same once more, because its answer broke off, is no further turn", async (kind) => {
  rig = await RelayRig.open(scenario);
  const { run, socket } = await rig.run();
  const [target, body, headers] = toRequest(kind, "broken", true);
  const tools = { tools: [{ name: "look", function: { name: "look" }, functionDeclarations: [{ name: "look" }] }] };
  const turnsOf = async (...bodies: object[]): Promise<unknown[]> => {
    for (const each of bodies) await ask(socket, target, { ...each, ...tools }, headers).catch(() => undefined);
    await expect.poll(() => rig.of("model.answered").length).toBe(rig.of("model.requested").length);
    return rig.of("model.requested").map((event) => event.turn ?? false);
  };
  // Programs do not write the same request in the same way again.
  expect(await turnsOf({ ...body, metadata: { a: 1, b: 2 } }, { metadata: { b: 2, a: 1 }, ...body })).toEqual([
    true,
    false,
  ]);
  expect(rig.engine.state.runs.get(run)?.turns).toBe(1);
  const [, other] = toRequest(kind, "fail", true);
  // Neither is the same again after its maker turned it down; what is new is.
  expect(await turnsOf(other, body)).toEqual([true, false, true, false]);
  const [, next] = toRequest(kind, "hello", true);
  expect(await turnsOf(next, body)).toEqual([true, false, true, false, true, true]);
  expect(rig.engine.state.runs.get(run)?.turns).toBe(3);
});

test("[PF14] whoever hangs up and asks something else goes a step further, however it is written", async () => {
  rig = await RelayRig.open(scenario);
  const { run, socket } = await rig.run();
  const step = (n: number): string => JSON.stringify([{ role: "user", content: `hold, step ${n}` }]);
  const fields = [0, 1, 2].map((n) => `"mess\\u0061ges":${step(n)}`);
  for (const field of [
    ...fields,
    `"messages":[],"messages":${step(3)}`,
    `"messages":${step(3)}`,
    `"messages":${step(3)}`,
  ]) {
    const answer = await begin(
      socket,
      "/v1/messages",
      `{"model":"plain-1","stream":true,"tools":[{"name":"look"}],${field}}`,
    );
    await new Promise((resolve) => answer.once("data", resolve));
    answer.destroy();
    await rig.until("model.answered", rig.of("model.requested").length);
  }
  expect(rig.of("model.answered").map(({ extent }) => extent)).toEqual(Array(6).fill("partial"));
  expect(rig.of("model.requested").map(({ turn }) => turn)).toEqual(Array(6).fill(true));
  expect(rig.engine.state.runs.get(run)?.turns).toBe(6);
});

test("[PF14] for each answer that its maker breaks off, the same is asked once more, and nothing else", async () => {
  rig = await RelayRig.open(scenario);
  const { socket } = await rig.run();
  const broken = { tools: [{ name: "look" }], stream };
  const turnOf = async (body: object | string): Promise<unknown> => {
    await ask(socket, "/v1/messages", body).catch(() => undefined);
    await rig.until("model.answered", rig.of("model.requested").length);
    return rig.of("model.requested").at(-1)?.turn;
  };
  const first = messages("broken", broken);
  expect(await turnOf(first)).toBe(true);
  const written = JSON.stringify(first);
  const said = JSON.stringify([{ role: "user", content: "broken, and go on" }]);
  for (const other of [
    { ...first, system: "Go on." },
    { ...first, tools: [{ name: "look" }, { name: "write" }] },
    `${written.slice(0, -1)},"mess\\u0061ges":${said}}`,
    written.replace('"messages":', `"messages":${said},"messages":`),
  ]) {
    expect(await turnOf(other)).toBe(true);
    expect(await turnOf(first)).toBe(true);
  }
  expect(await turnOf(first)).toBeUndefined();
  // Two at the same time are one too many.
  const gate = messages("half", broken);
  expect(await turnOf(gate)).toBe(true);
  // What its maker turned down was not asked.
  expect(await turnOf(gate)).toBeUndefined();
  const both = [begin(socket, "/v1/messages", gate), begin(socket, "/v1/messages", gate)];
  const answers = await Promise.all(both);
  expect(
    rig
      .of("model.requested")
      .slice(-2)
      .map(({ turn }) => turn),
  ).toEqual([undefined, true]);
  rig.model.release("half");
  await Promise.all(answers.map(read));
});
