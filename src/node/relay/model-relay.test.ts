import { stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { kinds, messages, toRequest } from "../../../test/support/model-requests.ts";
import { ask, begin, canary, read, RelayRig, type Sent, token } from "../../../test/support/relay-rig.ts";
import { Credentials } from "./credentials.ts";

let rig: RelayRig;
afterEach(() => rig.close());

const usage = "{ input: 100, output: 20, cacheRead: 50, cacheWrite: 7 }";
const scenario = `
conversations:
  - name: plain
    match: { marker: hello }
    repeat: true
    turns: [{ say: "Good morning, and a long text of several pieces.", usage: ${usage} }]
  - name: held
    match: { marker: hold }
    repeat: true
    turns: [{ say: "Slowly now, one piece after the other.", usage: ${usage}, hold: gate }]
  - name: cut
    match: { marker: broken }
    repeat: true
    turns: [{ say: "This is cut off in the middle of it all.", usage: ${usage}, cut: 5 }]
  - name: silent
    match: { marker: silent }
    repeat: true
    turns: [{ say: "I do not say what I used.", silent: true }]
  - name: failing
    match: { marker: fail }
    repeat: true
    turns: [{ error: { status: 529, type: overloaded_error, message: "too many", retryAfter: 2 } }]
  - name: echo
    match: { marker: echo }
    repeat: true
    turns: [{ say: "your key is ${canary}, as base64 ${Buffer.from(`user:${canary}`).toString("base64")}" }]
`;

const stream = true;
const messageOf = (sent: Sent): string => {
  const { error } = JSON.parse(sent.body.toString("utf8")) as { error: { message: string } };
  return error.message;
};

describe("getting through", () => {
  test("[BG10] [RN19] a sub-run is let in at its agent's socket by a token of its own, for as long as it is there", async () => {
    rig = await RelayRig.open(scenario);
    const { run, socket } = await rig.run();
    const { run: other, socket: elsewhere } = await rig.run();
    const own = "sub-run-token".padEnd(43, "s");
    rig.relay.admit(run, other, own);
    const headers = { "x-api-key": own };
    expect((await ask(socket, "/v1/messages", messages("hello"), headers)).status).toBe(200);
    expect((await ask(socket, "/v1/messages", messages("hello"))).status).toBe(200);
    expect(rig.of("model.requested").map((event) => event.run)).toEqual([other, run]);
    expect((await ask(elsewhere, "/v1/messages", messages("hello"), headers)).status).toBe(401);
    await rig.relay.shut(other);
    expect((await ask(socket, "/v1/messages", messages("hello"), headers)).status).toBe(401);
  });

  test("[BG10] [RN19] a sub-run that goes on from before is told to come again until it is let in", async () => {
    rig = await RelayRig.open(scenario);
    const { run, socket } = await rig.run();
    const sub = await rig.subRun(run);
    const own = "sub-run-token".padEnd(43, "s");
    const asSub = (): Promise<Sent> => ask(socket, "/v1/messages", messages("hello"), { "x-api-key": own });
    const early = await asSub();
    expect([early.status, early.headers["retry-after"]]).toEqual([503, "1"]);
    rig.relay.admit(run, sub, own);
    expect((await asSub()).status).toBe(200);
    expect((await ask(socket, "/v1/messages", messages("hello"), { "x-api-key": `${own}x` })).status).toBe(401);
  });

  test("[BG10] whoever comes the moment that its socket is there is let in", async () => {
    rig = await RelayRig.open(scenario);
    const { run, socket } = await rig.run();
    const comeAtOnce = async (): Promise<number> => {
      for (;;) {
        const sent = await ask(socket, "/v1/messages", messages("hello")).catch(() => undefined);
        if (sent !== undefined) return sent.status;
      }
    };
    for (let time = 0; time < 20; time++) {
      await rig.relay.shut(run);
      const [status] = await Promise.all([comeAtOnce(), rig.relay.open(run, token)]);
      expect(status).toBe(200);
    }
  });

  test("[BG10] only the run's token opens its socket", async () => {
    rig = await RelayRig.open(scenario);
    const { socket } = await rig.run();
    const wrong: Record<string, string>[] = [
      {},
      { "x-api-key": `${token}x` },
      { authorization: "Bearer " },
      { authorization: `Basic ${token}` },
    ];
    for (const headers of wrong) {
      const sent = await ask(socket, "/v1/messages", messages("hello"), headers);
      expect([sent.status, sent.headers["x-signalbox-code"]]).toEqual([401, "unauthorized"]);
    }
    expect((await ask(socket, `/v1beta/models?key=${token}`, null, {})).status).toBe(404);
    expect((await ask(socket, "/v1/messages", messages("hello"))).status).toBe(200);
    expect((await stat(socket)).mode & 0o777).toBe(0o600);
    expect([rig.model.wasSent(token), rig.model.wasSent(canary)]).toEqual([false, true]);
  });

  test.each([
    ["POST", "/v1/files"],
    ["POST", "/v1/messages/batches"],
    ["GET", "/v1/messages"],
    ["POST", "/v1/messages/"],
    ["POST", "/v1//messages"],
    ["POST", "/v1/x/../messages"],
    ["POST", "//elsewhere.example/v1/messages"],
    ["POST", "http://elsewhere.example/v1/messages"],
    ["POST", "/v1beta/models/a%2fb:generateContent"],
    ["POST", "/v1beta/models/../x:generateContent"],
    ["POST", "/v1beta/models/x:batchEmbedContents"],
    ["POST", `/v1/messages?${"x".repeat(3000)}`],
  ])("[BG11] %s %s is not forwarded", async (method, target) => {
    rig = await RelayRig.open(scenario);
    const { socket } = await rig.run();
    const sent = await ask(socket, target, method === "GET" ? null : messages("hello"));
    expect([sent.status, sent.headers["x-signalbox-code"]]).toEqual([404, "model-path-unknown"]);
    expect(rig.model.received).toEqual([]);
  });

  test("[BG11] of the headers a provider gets those that it needs, and the credential", async () => {
    rig = await RelayRig.open(scenario);
    const { socket } = await rig.run();
    const sent = await ask(socket, "/v1/messages", messages("hello"), {
      authorization: `Bearer ${token}`,
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "a,b",
      "x-forwarded-for": "10.0.0.1",
      cookie: "a=b",
      connection: "x-evil",
      "x-evil": "1",
    });
    expect(sent.status).toBe(200);
    const { host: _host, "content-length": _length, ...headers } = rig.model.received[0]?.headers ?? {};
    expect(headers).toEqual({
      "accept-encoding": "identity",
      "anthropic-beta": "a,b",
      "anthropic-version": "2023-06-01",
      connection: "keep-alive",
      "content-type": "application/json",
      "x-api-key": canary,
    });
  });

  test("[BG11] a redirect is neither followed nor passed on: it would take the credential elsewhere", async () => {
    const elsewhere: unknown[] = [];
    const server = createServer((request, response) => {
      if (request.url === "/v1/messages") response.writeHead(307, { location: "/elsewhere" });
      else elsewhere.push(request.headers);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    rig = await RelayRig.open(scenario, { env: { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` } });
    const { socket } = await rig.run();
    const sent = await ask(socket, "/v1/messages", messages("hello"));
    server.closeAllConnections();
    server.close();
    expect([sent.status, sent.headers.location, elsewhere]).toEqual([502, undefined, []]);
    expect(messageOf(sent)).toContain("redirects are not followed");
  });

  test("what costs nothing is passed on without a reserve", async () => {
    rig = await RelayRig.open(scenario);
    const { socket } = await rig.run();
    const counted = await ask(socket, "/v1/messages/count_tokens", messages("hello"));
    expect(JSON.parse(counted.body.toString("utf8"))).toHaveProperty("input_tokens");
    expect((await ask(socket, "/v1/models", null)).status).toBe(200);
    expect(rig.of("model.requested")).toEqual([]);
  });

  test.each([
    ["no JSON", "{", 400, "bad-input"],
    ["no model", "{}", 400, "bad-input"],
    ["too much", `{"model":"plain-1","x":"${"x".repeat(20_000)}"}`, 413, "too-large"],
  ])("a body with %s is refused", async (_, body, status, code) => {
    rig = await RelayRig.open(scenario, { bodyBytesMax: 10_000 });
    const { socket } = await rig.run();
    const sent = await ask(socket, "/v1/messages", body);
    expect([sent.status, sent.headers["x-signalbox-code"]]).toEqual([status, code]);
    expect(rig.model.received).toEqual([]);
  });
});

describe("answers", () => {
  test.each(kinds.flatMap((kind) => [true, false].map((isStream) => [kind, isStream] as const)))(
    "[BG12, BG14] %s, streamed %s: byte for byte, and metered",
    async (kind, isStream) => {
      rig = await RelayRig.open(scenario);
      await rig.price("plain");
      const { run, socket } = await rig.run();
      const [target, body, headers] = toRequest(kind, "hello", isStream);
      const sent = await ask(socket, target, body, headers);
      const direct = await fetch(`${rig.model.url}${target}`, {
        method: "POST",
        body: JSON.stringify(kind === "chat" && isStream ? { ...body, stream_options: { include_usage: true } } : body),
      });
      const own = /(msg|resp|chatcmpl)_(msg_|call_)?\d+|"responseId":"\d+"/g;
      expect(sent.body.toString("utf8").replaceAll(own, "")).toBe((await direct.text()).replaceAll(own, ""));
      expect(sent.headers["content-type"]).toBe(direct.headers.get("content-type"));
      const written = kind === "anthropic" ? 7 : 0;
      expect(rig.of("model.answered")).toMatchObject([
        {
          run,
          model: "plain-1",
          extent: "whole",
          status: 200,
          inputTokens: 100,
          outputTokens: 20,
          cacheReadTokens: 50,
          cacheWriteTokens: written,
          costMicros: 170 + written,
        },
      ]);
    },
  );

  test("[BG12] the answer comes as it is said, and a client that hangs up ends it at the model", async () => {
    rig = await RelayRig.open(scenario);
    await rig.price("plain");
    const { socket } = await rig.run();
    const answer = await begin(socket, "/v1/messages", messages("hold", { stream }));
    const first = await new Promise<Buffer>((resolve) => answer.once("data", resolve));
    expect(first.toString("utf8")).toContain("message_start");
    answer.destroy();
    await rig.model.until(() => rig.model.hungUp === 1);
    const [answered] = await rig.until("model.answered", 1);
    expect(answered).toMatchObject({ extent: "partial", inputTokens: 100, cacheReadTokens: 50, cacheWriteTokens: 7 });
    expect(answered?.outputTokens).toBeGreaterThan(0);
  });

  test("[BG12] a client that hangs up before the answer began still pays for the prompt", async () => {
    rig = await RelayRig.open(scenario);
    await rig.price("plain");
    const { socket } = await rig.run();
    const whole = begin(socket, "/v1/messages", messages("hold"));
    whole.catch(() => undefined);
    await rig.model.until(() => rig.model.begun.length === 1);
    await rig.relay.close();
    await expect(whole).rejects.toThrow("hang up");
    expect(rig.of("model.answered")).toMatchObject([{ extent: "partial", status: null, outputTokens: 0 }]);
    expect(rig.of("model.answered")[0]?.inputTokens).toBeGreaterThan(1000);
  });

  test.each(kinds)(
    "[BG12, BG14] %s: a model that breaks off is broken off here, and what was seen counts",
    async (kind) => {
      rig = await RelayRig.open(scenario);
      await rig.price("plain");
      const { socket } = await rig.run();
      const [target, body, headers] = toRequest(kind, kind === "gemini" ? "hold" : "broken", true);
      const answer = await begin(socket, target, body, headers);
      if (kind === "gemini") {
        await new Promise((resolve) => answer.once("readable", resolve));
        rig.model.breakAll();
      }
      await expect(read(answer)).rejects.toThrow("aborted");
      const [answered] = await rig.until("model.answered", 1);
      expect(answered).toMatchObject({ extent: "partial", status: 200 });
      expect(answered?.inputTokens).toBeGreaterThanOrEqual(100);
      expect(answered?.costMicros).toBeGreaterThan(100);
      const kept = await rig.artifact(answered?.artifact ?? "");
      expect(kept.answered.isCut).toBe(true);
    },
  );

  test.each(kinds)("[BG14] %s: an answer without figures is reckoned from above", async (kind) => {
    rig = await RelayRig.open(scenario);
    const { socket } = await rig.run();
    const [target, body, headers] = toRequest(kind, "silent", true);
    await ask(socket, target, body, headers);
    const [answered] = rig.of("model.answered");
    expect(answered).toMatchObject({ extent: "partial", status: 200, costMicros: null });
    expect([answered?.inputTokens, answered?.outputTokens].every((count) => (count ?? 0) > 10)).toBe(true);
  });

  test("an error of the model is passed on, and costs nothing", async () => {
    rig = await RelayRig.open(scenario);
    await rig.price("plain");
    const { socket } = await rig.run();
    const sent = await ask(socket, "/v1/messages", messages("fail"));
    expect([sent.status, sent.headers["retry-after"], messageOf(sent)]).toEqual([529, "2", "too many"]);
    expect(rig.of("model.answered")).toMatchObject([{ extent: "none", status: 529, costMicros: 0 }]);
  });

  test("a model that cannot be reached is said to be so, and costs nothing", async () => {
    rig = await RelayRig.open(scenario, { env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:1" } });
    await rig.price("plain");
    const { socket } = await rig.run();
    const sent = await ask(socket, "/v1/messages", messages("hello"));
    expect([sent.status, sent.headers["x-signalbox-code"]]).toEqual([502, "model-unreachable"]);
    expect(rig.of("model.answered")).toMatchObject([{ extent: "none", status: null, costMicros: 0 }]);
  });
});

describe("budgets", () => {
  test("[BG1] fifty requests at once do not pass a budget, and what is refused never reaches the model", async () => {
    rig = await RelayRig.open(scenario);
    await rig.price("plain");
    const { run, socket } = await rig.run();
    await rig.policy({ maxRunCostMicros: 10_000 });
    const sent = await Promise.all(
      Array.from({ length: 50 }, () => ask(socket, "/v1/messages", messages("hello", { stream }))),
    );
    const through = sent.filter(({ status }) => status === 200).length;
    expect([through > 0, through < 50]).toEqual([true, true]);
    expect(rig.model.received).toHaveLength(through);
    expect(rig.of("model.requested")).toHaveLength(through);
    let open = 0;
    let spent = 0;
    for (const event of rig.events) {
      if (event.type === "model.requested") open += event.reservedMicros ?? 0;
      if (event.type === "model.answered") {
        open -= rig.of("model.requested").find(({ request }) => request === event.request)?.reservedMicros ?? 0;
        spent += event.costMicros ?? 0;
      }
      expect(open + spent).toBeLessThanOrEqual(10_000);
    }
    expect(rig.engine.state.runs.get(run)?.spend).toMatchObject({ requests: through, costMicros: through * 177 });
  });

  test.each(kinds)("[BG16] %s: a refusal reads like one of the provider's, and is not retried", async (kind) => {
    rig = await RelayRig.open(scenario);
    await rig.price("plain");
    const { socket } = await rig.run();
    await rig.policy({ maxDayCostMicros: 1 });
    const [target, body, headers] = toRequest(kind, "hello", true);
    const sent = await ask(socket, target, body, headers);
    expect([sent.status, sent.headers["retry-after"]]).toEqual([403, undefined]);
    expect(messageOf(sent)).toMatch(/^The budget maxDayCostMicros of the policy thrift is spent: .*budget-spent]$/);
    const { type, error } = JSON.parse(sent.body.toString("utf8")) as { type?: string; error: Record<string, unknown> };
    const shapes = {
      anthropic: [type, error["type"]],
      responses: [error["code"], error["param"]],
      chat: [error["code"], error["param"]],
      gemini: [error["code"], error["status"]],
    };
    const expected = {
      anthropic: ["error", "permission_error"],
      responses: ["budget-spent", null],
      chat: ["budget-spent", null],
      gemini: [403, "PERMISSION_DENIED"],
    };
    expect(shapes[kind]).toEqual(expected[kind]);
    expect(rig.model.received).toEqual([]);
  });

  test("[BG16] a paused run is told to come again, and one that is over finds its socket closed", async () => {
    rig = await RelayRig.open(scenario);
    const { run, socket } = await rig.run();
    await rig.give({ type: "run.pause", run });
    const sent = await ask(socket, "/v1/messages", messages("hello"));
    expect([sent.status, sent.headers["retry-after"]]).toEqual([503, "5"]);
    await rig.give({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    await rig.relay.shut(run);
    await expect(ask(socket, "/v1/messages", messages("hello"))).rejects.toThrow("ENOENT");
    expect(rig.model.received).toEqual([]);
  });

  test("[BG8] what an earlier life left open counts as lost", async () => {
    rig = await RelayRig.open(scenario);
    await rig.price("plain");
    const { socket } = await rig.run();
    const held = ask(socket, "/v1/messages", messages("hold"));
    held.catch(() => undefined);
    await rig.model.until(() => rig.model.begun.length === 1);
    await rig.relay.start();
    expect(rig.of("model.answered")).toMatchObject([{ extent: "lost", status: null }]);
    rig.model.release("gate");
    await held;
    expect(rig.of("model.answered")).toHaveLength(1);
  });
});

describe("secrets", () => {
  test("[BG13, BG15, BG17] the credential is at the model and nowhere else", async () => {
    rig = await RelayRig.open(scenario);
    await rig.secrets.set("DATABASE_URL", "postgres://someone:secret@db");
    const { socket } = await rig.run();
    const said = `echo postgres://someone:secret@db ${encodeURIComponent(canary)} ${token}`;
    const sent = await ask(socket, "/v1/messages", messages(said, { stream: false }));
    const text = sent.body.toString("utf8");
    expect(text).toContain("your key is ****");
    expect(text).not.toContain(canary);
    expect(text.length).toBe((await direct(said)).length);
    expect(rig.model.wasSent(canary)).toBe(true);
    const everything = await rig.everything();
    expect(everything).toContain("[redacted]");
    const forms = [canary, encodeURIComponent(canary), "postgres://someone:secret@db", token];
    const base64 = [0, 1, 2].map((at) =>
      Buffer.from(`${"x".repeat(at)}${canary}`)
        .toString("base64")
        .slice(4, -4),
    );
    for (const form of [...forms, ...base64]) expect(everything).not.toContain(form);
    expect(everything).toContain("environment:ANTHROPIC_API_KEY");
  });

  /** What the model says to the same without a relay. */
  async function direct(said: string): Promise<string> {
    const body = JSON.stringify(messages(said, { stream: false }));
    return (await fetch(`${rig.model.url}/v1/messages`, { method: "POST", body })).text();
  }

  test("[BG15] request and answer are kept, and go with their run", async () => {
    rig = await RelayRig.open(scenario);
    const { run, socket } = await rig.run();
    await ask(socket, "/v1/messages", messages("hello", { stream }));
    const [answered] = rig.of("model.answered");
    const kept = await rig.artifact(answered?.artifact ?? "");
    expect(kept.asked.body).toContain("hello");
    expect(kept.answered).toMatchObject({ status: 200, isCut: false });
    expect(kept.answered.body).toContain("message_stop");
    await rig.give({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    await rig.give({ type: "run.stopped", run, works: [] });
    await rig.give({ type: "run.remove", run });
    await rig.relay.start();
    await expect(rig.artifact(answered?.artifact ?? "")).rejects.toThrow("ENOENT");
  });

  test("[BG18] what a person kept goes before the environment; without any the sentence says what to do", async () => {
    rig = await RelayRig.open(scenario);
    const { socket } = await rig.run();
    await rig.secrets.set("ANTHROPIC_API_KEY", "kept-by-a-person");
    await ask(socket, "/v1/messages", messages("hello"));
    expect(rig.model.received[0]?.headers["x-api-key"]).toBe("kept-by-a-person");
    expect(rig.of("model.requested")).toMatchObject([{ credential: "store:ANTHROPIC_API_KEY" }]);
    await writeFile(`${rig.folder}/secrets.key`, "damaged");
    const damaged = await ask(socket, "/v1/messages", messages("hello"));
    expect([damaged.status, damaged.headers["x-signalbox-code"]]).toEqual([500, "secret-damaged"]);
    const without = new Credentials({ get: () => Promise.resolve(null) }, {});
    await rig.close();
    rig = await RelayRig.open(scenario, { credentials: without });
    const missing = await ask((await rig.run()).socket, "/v1/messages", messages("hello"));
    expect(missing.status).toBe(403);
    expect(messageOf(missing)).toContain("signalbox secret set ANTHROPIC_API_KEY");
    expect(rig.of("model.requested")).toEqual([]);
  });
});
