// What is over is not shown as if it were going on, and what is turned away is not kept.

import { connect } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { inFaceWorld } from "../support/faces/face-world.ts";

const claim = { project: "demo", units: ["file:a"], as: "ann", key: "once" };

test("[LS8] the same request gets the same outcome, and is told when nothing of it is held any more", () =>
  inFaceWorld(async (world) => {
    await world.http.call("project.add", { root: world.folder, name: "demo" });
    const first = await world.http.call("claim.make", claim);
    expect(first).toMatchObject({ state: "granted", held: true, code: null });
    await world.http.call("claim.release", { claim: first.claim });
    const { claim: id, state, held, code, expiresAtMs } = await world.http.call("claim.make", claim);
    expect({ id, state, held, code, expiresAtMs }).toEqual({
      id: first.claim,
      state: "granted",
      held: false,
      code: "not-held",
      expiresAtMs: null,
    });
  }));

test("a connection that was turned away is closed, also when the other side keeps it open", () =>
  inFaceWorld(async (world) => {
    const { port, hostname } = new URL(world.server.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.write("GET /api/v1/status HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString()));
    await once(socket, "end");
    expect(answer).toContain("forbidden-host");
    // Our own side stays open; only their end of it going away makes writing fail.
    const closed = once(socket, "error");
    const timer = setInterval(() => socket.write("still here\r\n"), 50);
    const [error] = (await closed) as [NodeJS.ErrnoException];
    clearInterval(timer);
    socket.destroy();
    expect(["EPIPE", "ECONNRESET"]).toContain(error.code);
  }));

test("the units of a claim are bounded together, because claims are remembered", () =>
  inFaceWorld(async (world) => {
    await world.http.call("project.add", { root: world.folder, name: "demo" });
    const units = Array.from(
      { length: 250 },
      (_, at) => `file:${String(at).padStart(4, "0")}/${"x".repeat(240)}/${"y".repeat(240)}`,
    );
    await expect(world.http.call("claim.make", { project: "demo", units })).rejects.toMatchObject({
      code: "bad-input",
    });
  }));
