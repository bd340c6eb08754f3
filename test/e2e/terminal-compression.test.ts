// What is shown of a terminal travels small where it has to wait: screens and floods shrink well.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import WebSocket from "ws";
import { homePaths } from "../../src/protocol/home.ts";
import { AgentRig } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

/** More than the buffers of a connection hold. */
const floodBytes = 24_000_000;

describe.skipIf(noCages)("the way to a viewer", () => {
  const rig = AgentRig.forAll({ ".gitignore": "/done\n" });

  /** A socket of the daemon, with what it was agreed on. */
  async function connected(path: string): Promise<{ socket: WebSocket; response: IncomingMessage }> {
    const paths = homePaths(rig.daemon.home);
    const token = readFileSync(paths.token, "utf8").trim();
    const { url } = JSON.parse(readFileSync(paths.daemon, "utf8")) as { readonly url: string };
    const address = `${url.replace(/^http/, "ws")}${path}`;
    const socket = new WebSocket(address, ["signalbox", `bearer.${token}`]);
    onTestFinished(() => socket.terminate());
    const opened = once(socket, "open");
    const [response] = (await once(socket, "upgrade")) as [IncomingMessage];
    await opened;
    return { socket, response };
  }

  /** How much is shown of a flood, and how many bytes that took, by a viewer who reads nothing until all of it is said. */
  async function flooded(agent: string): Promise<{ shown: number; took: number }> {
    const say = `head -c ${floodBytes} /dev/zero | tr '\\0' x; touch done; exec sleep 1000`;
    const { terminal } = await rig.call("terminal.open", { agent, argv: ["sh", "-c", say] });
    const { socket, response } = await connected("/terminal");
    expect(socket.extensions).toContain("permessage-deflate");
    let shown = 0;
    const isWhole = Promise.withResolvers<void>();
    socket.on("message", (bytes: Buffer, isBinary) => {
      if (isBinary) shown += bytes.length;
      if (shown >= floodBytes) isWhole.resolve();
    });
    const attach = { terminal, viewer: "viewer-one", name: "ann", from: 0, whole: true };
    socket.send(JSON.stringify({ attach }));
    socket.pause();
    await expect.poll(() => rig.exec(agent, "ls done"), { timeout: 30_000 }).toBe("done\n");
    socket.resume();
    await isWhole.promise;
    return { shown, took: response.socket.bytesRead };
  }

  test("[TM13] what waits for a slow viewer is compressed, and what programs read of events is not", async () => {
    const { id } = await rig.up("template: bare\nservices: { a: { command: sleep 1000 } }\n");
    const slow = await flooded(id);
    expect(slow.took).toBeLessThan(slow.shown - 50_000);
    expect((await connected("/stream")).socket.extensions).toBe("");
  });
});
