// Tasks over the real socket: by people, by models, with what comes along.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProtocolError } from "../../src/protocol/errors.ts";
import { limits } from "../../src/protocol/limits.ts";
import { type FaceWorld, openFaceWorld } from "../support/faces/face-world.ts";

let world: FaceWorld;
let project: string;

beforeAll(async () => {
  world = await openFaceWorld({ runners: ["script", "mcp"] });
  ({ project } = await world.http.call("project.add", { root: world.folder, name: "shop" }));
});
afterAll(() => world.close());

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const refusal = (promise: Promise<unknown>): Promise<ProtocolError> =>
  promise.then(
    () => Promise.reject(new Error("it was not refused")),
    (error: unknown) => (error instanceof ProtocolError ? error : Promise.reject(error as Error)),
  );

test("[TK1] [TK4] a task is made with what comes along, shown, changed, run and removed", async () => {
  const attachments = [
    { kind: "note" as const, name: "why", text: "Too many requests." },
    { kind: "file" as const, name: "design.md", base64: base64("# Limits\n") },
  ];
  const request = { project: "shop", title: "limit", scope: ["src/api/"], attachments, key: "k" };
  const { task } = await world.http.call("task.add", request);
  expect(await world.lines.call("task.add", request)).toEqual({ task });
  await world.lines.call("task.change", { task, acceptance: ["true"] });
  const link = { kind: "link" as const, name: "issue", url: "https://example.org/7" };
  await world.http.call("task.attach", { task, attachment: link });
  await world.http.call("task.detach", { task, name: "why" });
  const { task: shown } = await world.http.call("task.get", { task });
  expect(shown).toMatchObject({
    ...{ id: task, project, projectName: "shop", title: "limit", acceptance: ["true"], scope: ["src/api"], kept: true },
    attachments: [
      { kind: "file", name: "design.md", text: null, bytes: 9 },
      { kind: "link", name: "issue", text: link.url, bytes: null },
    ],
  });
  const read = await world.http.call("task.attachment", { task, name: "design.md" });
  expect(read).toEqual({ base64: base64("# Limits\n"), bytes: 9 });
  const { run } = await world.http.call("run.submit", { project, task, runner: "mcp" });
  const { run: made } = await world.http.call("run.get", { run });
  expect(made).toMatchObject({ task, title: "limit", scope: ["src/api"] });
  expect(made.by).toMatch(/^person:/);
  const words = await refusal(world.http.call("run.submit", { project, task, runner: "mcp", title: "other" }));
  expect(words.message).toContain(`the task ${task} says that`);
  expect(await refusal(world.http.call("task.remove", { task }))).toMatchObject({ code: "in-use" });
  await world.http.call("run.submit", { project, title: "by itself", runner: "mcp" });
  const kept = await world.http.call("task.list", { project, kept: true });
  expect(kept.tasks.map(({ id }) => id)).toEqual([task]);
  expect((await world.http.call("task.list", {})).total).toBe(2);
});

test("[TK4] what is no attachment is refused with the place, and nothing of it is made", async () => {
  const before = world.stateText();
  const attach = (attachment: object): Promise<ProtocolError> =>
    refusal(world.http.call("task.add", { project, title: "t", attachments: [attachment as never] }));
  const file = { kind: "file", name: "a" };
  expect(await attach({ ...file, base64: "?" })).toMatchObject({ code: "bad-input" });
  expect((await attach({ ...file, base64: base64("x".repeat(limits.attachmentBytesMax + 3)) })).message).toContain(
    `at most ${limits.attachmentBytesMax} bytes`,
  );
  expect(await attach({ ...file, name: "../a", base64: "" })).toMatchObject({ code: "bad-input" });
  expect(await attach({ kind: "link", name: "a", url: "javascript:alert(1)" })).toMatchObject({ code: "bad-input" });
  const unknown = await refusal(world.http.call("task.attachment", { task: "t_none", name: "a" }));
  expect(unknown).toMatchObject({ code: "not-found" });
  expect(world.stateText()).toBe(before);
});

test("[TK10] a model makes a task and changes none of a person's, and is told to ask one", async () => {
  const { task } = await world.http.call("task.add", { project, title: "ours", scope: ["src"] });
  const client = new Client({ name: "somebody", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${world.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.server.url}/mcp`), { requestInit }));
  const say = async (name: string, args: Record<string, unknown>): Promise<string> =>
    ((await client.callTool({ name, arguments: args })).content as { text: string }[])[0]?.text ?? "";
  expect(await say("task_change", { task, scope: [] })).toContain("Only people may do this");
  const theirs = /t_[0-9a-z]+/.exec(await say("task_add", { project, title: "theirs" }))?.[0] ?? "";
  await say("task_change", { task: theirs, title: "theirs, better" });
  await client.close();
  expect((await world.http.call("task.get", { task: theirs })).task).toMatchObject({
    title: "theirs, better",
    by: "agent:mcp",
  });
  expect((await world.http.call("task.get", { task })).task.scope).toEqual(["src"]);
});
