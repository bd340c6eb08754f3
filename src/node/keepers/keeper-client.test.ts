import { existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { onLines } from "../../keeper/os/lines.ts";
import { keeperSocketName } from "../../protocol/keeper/keeper-command.ts";
import { keeperLineBytesMax, type KeeperRequest, type LongKeeperRequest } from "../../protocol/keeper/keeper-wire.ts";
import { KeeperClient } from "./keeper-client.ts";

type Line = KeeperRequest | LongKeeperRequest;

/** Somebody at a keeper's socket. */
async function keeper(on: {
  readonly connected?: (socket: Socket) => void;
  readonly asked?: (line: Line, socket: Socket) => void;
}): Promise<KeeperClient> {
  const folder = makeTempFolder();
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    onLines(socket, keeperLineBytesMax, (line) => on.asked?.(JSON.parse(line) as Line, socket));
    on.connected?.(socket);
  });
  await new Promise<void>((resolve) => void server.listen(join(folder, keeperSocketName), resolve));
  const client = new KeeperClient(folder);
  onTestFinished(() => {
    client.disconnect();
    server.close();
  });
  return client;
}

const tooLong = { path: "a", to: null, bytes: { base64: "A".repeat(keeperLineBytesMax) } };

test("[EN51] a long request to a keeper that is lost meanwhile fails, and leaves nothing behind", async () => {
  const client = await keeper({ connected: (socket) => socket.destroy() });
  await expect(client.place("t", [tooLong])).rejects.toMatchObject({ code: "keeper-unavailable" });
  expect(readdirSync(client.folder)).toEqual([keeperSocketName]);
});

test("a long request that nobody waits for any more leaves nothing behind", async () => {
  const leaving = new AbortController();
  const lent: Line[] = [];
  const client = await keeper({
    asked: (line) => {
      lent.push(line);
      leaving.abort(new Error("not waited for"));
    },
  });
  await expect(client.place("t", [tooLong], { signal: leaving.signal })).rejects.toThrow("not waited for");
  expect(lent).toEqual([{ id: 1, file: expect.stringContaining(client.folder) as string }]);
  expect(readdirSync(client.folder)).toEqual([keeperSocketName]);
});

test("what fits into a line goes in the line: a keeper of an earlier release knows nothing else", async () => {
  const client = await keeper({
    asked: (line, socket) => {
      const answer = "op" in line ? { ok: true, value: line.op } : { ok: false, code: "bad-request", message: "no op" };
      socket.write(`${JSON.stringify({ id: line.id, ...answer })}\n`);
    },
  });
  const bytes = { base64: "A".repeat(keeperLineBytesMax - 1000) };
  expect(await client.place("t", [{ path: "a", to: null, bytes }])).toBe("place");
});

test("how long a line is counts in bytes", async () => {
  const client = await keeper({
    asked: (line, socket) => socket.write(`${JSON.stringify({ id: line.id, ok: true, value: "file" in line })}\n`),
  });
  expect(await client.read("€".repeat(keeperLineBytesMax / 3))).toBe(true);
});

test("[EN52] an answer in a file is taken from the keeper's own folder, and no link is followed there", async () => {
  const secret = join(makeTempFolder(), "secret.json");
  writeFileSync(secret, "{}");
  let named = secret;
  const client = await keeper({
    asked: ({ id }, socket) => void socket.write(`${JSON.stringify({ id, ok: true, file: named })}\n`),
  });
  await expectFault(client.hello(), "not-a-file", "elsewhere");
  named = join(client.folder, "answer.json");
  symlinkSync(secret, named);
  await expectFault(client.hello(), "not-a-file", "no plain file");
  expect(existsSync(secret)).toBe(true);
});
