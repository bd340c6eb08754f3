// The server around the operations: the console's files, what overload looks like, and who has the port.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { refuse } from "../../src/base/result.ts";
import { makeState } from "../../src/core/state.ts";
import type { EngineRefusal } from "../../src/engine/engine.ts";
import { type FaceWorld, inFaceWorld, openFaceWorld } from "../support/faces/face-world.ts";
import { type RawAnswer, sendRaw } from "../support/faces/raw-http.ts";

const get = (world: FaceWorld, target: string, more: readonly [string, string][] = []): Promise<RawAnswer> =>
  sendRaw(world.server.port, {
    target,
    headers: [["host", `127.0.0.1:${world.server.port}`], ["authorization", `Bearer ${world.token}`], ...more],
  });

describe("the console's files", () => {
  const withConsole = async (act: (world: FaceWorld) => Promise<void>): Promise<void> => {
    const folder = await mkdtemp(path.join(tmpdir(), "sb-console-"));
    await mkdir(path.join(folder, "assets"));
    await writeFile(path.join(folder, "index.html"), "<!doctype html><title>console</title>");
    await writeFile(path.join(folder, "assets/app-1a2b.js"), "export {};");
    await writeFile(path.join(folder, "../secret.txt"), "secret");
    await inFaceWorld(act, { consoleFolder: folder });
    await rm(path.join(folder, "../secret.txt"), { force: true });
    await rm(folder, { recursive: true });
  };

  test("are served with their types, and every page of the console is its index", () =>
    withConsole(async (world) => {
      for (const page of ["/", "/runs/r_1", "/locks"]) {
        const answer = await get(world, page);
        expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
        expect(answer.body).toContain("<title>console</title>");
        expect(answer.headers["content-security-policy"]).not.toContain("unsafe");
      }
      const script = await get(world, "/assets/app-1a2b.js");
      expect([script.status, script.headers["content-type"]]).toEqual([200, "text/javascript; charset=utf-8"]);
      expect(script.headers["cache-control"]).toContain("immutable");
    }));

  test.each([
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/assets/none.js",
    "/api/v1/none",
    "//etc/passwd.txt",
  ])("%s leads nowhere", (target) =>
    withConsole(async (world) => {
      const answer = await get(world, target);
      expect([answer.status, answer.code]).toEqual([404, "not-found"]);
      expect(answer.body).not.toContain('secret"');
    }),
  );

  test("are no secret: without a session they are all that one gets", () =>
    withConsole(async (world) => {
      const host = ["host", `127.0.0.1:${world.server.port}`] as const;
      const ask = (target: string): Promise<RawAnswer> => sendRaw(world.server.port, { target, headers: [host] });
      expect((await ask("/")).body).toContain("<title>console</title>");
      for (const target of ["/api/v1/status", "/api/v1/events", "/mcp", "/stream", "/openapi.json", "/api/v1/none"]) {
        expect([target, (await ask(target)).status]).toEqual([target, 401]);
      }
      const evil = await sendRaw(world.server.port, { target: "/", headers: [["host", "evil.example"]] });
      expect(evil.code).toBe("forbidden-host");
    }));

  test("where there are none, a browser without a session is told what to do", () =>
    inFaceWorld(async (world) => {
      const headers = [
        ["host", `127.0.0.1:${world.server.port}`],
        ["accept", "text/html"],
      ] as const;
      const answer = await sendRaw(world.server.port, { target: "/", headers });
      expect([answer.status, answer.headers["content-type"]]).toEqual([401, "text/html; charset=utf-8"]);
      expect(answer.body).toContain("login link");
    }));
});

describe("an engine that says later", () => {
  const refusing = (refusal: EngineRefusal): Promise<RawAnswer> => {
    const state = makeState();
    const engine = {
      state,
      nowMs: () => 0,
      submit: (_: unknown, reply: (outcome: ReturnType<typeof refuse<EngineRefusal>>) => void) =>
        reply(refuse(refusal)),
      subscribe: () => () => undefined,
    };
    return inFaceWorld(
      (world) =>
        sendRaw(world.server.port, {
          method: "POST",
          target: "/api/v1/runs/stop-all",
          headers: [
            ["host", `127.0.0.1:${world.server.port}`],
            ["authorization", `Bearer ${world.token}`],
            ["content-length", "0"],
          ],
        }),
      { engine },
    );
  };

  test.each([
    [{ code: "overloaded", retryAfterMs: 100 }, 429, "1"],
    [{ code: "store-unavailable", retryAfterMs: 2500, message: "the disk is full" }, 503, "3"],
    [{ code: "closing" }, 503, undefined],
  ] as const)("%j", async (refusal, status, retryAfter) => {
    const answer = await refusing(refusal);
    expect([answer.status, answer.code, answer.headers["retry-after"]]).toEqual([status, refusal.code, retryAfter]);
  });
});

describe("the server", () => {
  test("does not start on a port that somebody has", () =>
    inFaceWorld(async (world) => {
      await expect(openFaceWorld({ port: world.server.port })).rejects.toMatchObject({ code: "port-in-use" });
    }));

  test("does without the socket when the home's path is too long for one, and says so", async () => {
    const base = await mkdtemp(path.join(tmpdir(), "sb-long-"));
    const home = path.join(base, "x".repeat(120));
    await mkdir(home);
    await inFaceWorld(
      async (world) => {
        expect(world.server.socket).toBeNull();
        expect((await world.http.call("status", {})).socket).toBeNull();
        const { checks } = await world.http.call("doctor", {});
        expect(checks.find((check) => check.name === "socket")).toMatchObject({
          ok: false,
          fix: expect.any(String) as string,
        });
      },
      { home },
    );
    await rm(base, { recursive: true });
  });

  test("serves its OpenAPI document", () =>
    inFaceWorld(async (world) => {
      const answer = await get(world, "/openapi.json");
      expect(JSON.parse(answer.body)).toMatchObject({ openapi: "3.1.0", paths: { "/api/v1/runs": {} } });
    }));

  test("tells whoever asked that it will end, before it does", () =>
    inFaceWorld(async (world) => {
      expect(await world.http.call("shutdown", {})).toEqual({});
      expect(world.shutdowns).toEqual([1]);
    }));
});
