// Runs that call faces of living agents: those that their profile names, and nothing else of the machine.

import { beforeAll, describe, expect, test } from "vitest";
import { isOver } from "../../src/core/run/run-states.ts";
import { AgentRig } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

/** Answers with what it heard. */
const server = `
require("http").createServer(async (asked, answer) => {
  let body = "";
  for await (const piece of asked) body += piece;
  answer.end([process.argv[2], asked.method, asked.url, body, JSON.stringify(asked.headers)].join(" "));
}).on("upgrade", (asked, socket) => {
  if (asked.url === "/never") return socket.end("HTTP/1.1 418 No\\r\\ncontent-length: 3\\r\\nconnection: close\\r\\n\\r\\nno\\n");
  const key = asked.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  const accept = require("crypto").createHash("sha1").update(key).digest("base64");
  socket.write("HTTP/1.1 101 Switching Protocols\\r\\nupgrade: websocket\\r\\nconnection: Upgrade\\r\\nsec-websocket-accept: " + accept + "\\r\\n\\r\\n");
  const say = (text) => socket.write(Buffer.concat([Buffer.from([0x81, 126, text.length >> 8, text.length & 255]), Buffer.from(text)]));
  say("socket " + asked.url + " " + JSON.stringify(asked.headers));
  if (asked.url === "/once") return socket.end(Buffer.from([0x88, 0]));
  socket.on("data", (frame) => {
    if ((frame[0] & 15) === 8) return socket.end(Buffer.from([0x88, 0]));
    const [from, mask] = [6, frame.subarray(2, 6)];
    say("echo " + Buffer.from(frame.subarray(from).map((byte, at) => byte ^ mask[at % 4])));
  });
}).listen(Number(process.env.PORT), "127.0.0.1");
`;

const template = `
template: shop
services:
  one: { command: node server.js one, ports: [http], health: { http: /, interval: 200ms, timeout: 150ms } }
  two: { command: node server.js two, ports: [http], health: { http: /, interval: 200ms, timeout: 150ms } }
faces: { page: { service: one }, tools: { service: one, kind: mcp }, other: { service: two } }
`;

describe.skipIf(noCages)("faces that are called from a cage", () => {
  const rig = AgentRig.forAll({ "server.js": server });

  beforeAll(async () => {
    await rig.up(template);
    const settings = { runner: "script", egress: "none" as const, faces: ["shop-*/page", "shop-1/tools"] };
    await rig.call("profile.set", { name: "caller", settings });
  });

  /** What each of the commands says, run one after the other in a cage. */
  async function said(profile: string | null, ...commands: string[]): Promise<{ run: string; texts: string[] }> {
    const steps = commands.map((each) => `- run: ${JSON.stringify(`${each} 2>&1 || true`)}`).join("\n");
    const script = `task: call\nsteps:\n${steps}\n`;
    const { run } = await rig.call("run.submit", { project: "shop", script, profile });
    for (;;) {
      const answer = await rig.call("run.wait", { run, waitMs: 20_000 });
      if (answer.reached && isOver(answer.run.state)) break;
    }
    const { events } = await rig.call("run.log", { run, limit: 1000 });
    const finished = events.filter(({ type }) => type === "call.finished");
    return { run, texts: finished.map((event) => String(event["summary"])) };
  }

  test("[FC15, PF12] a run reaches those that its profile names, by name, and what opens them is not seen by anybody", async () => {
    const { run, texts } = await said(
      "caller",
      "curl -s -d hello http://shop-1-page.faces/path?a=1",
      "curl -s -H 'signalbox-face-key: mine' -H 'authorization: Bearer its-own' http://shop-1-tools.faces/mcp",
      `node -e 'fetch("http://shop-1-page.faces/node").then((a) => a.text()).then(console.log)'`,
      "curl -s http://shop-1-other.faces/",
      "curl -s http://nobody-page.faces/",
    );
    expect(texts[0]).toContain("one POST /path?a=1 hello");
    expect(texts[1]).toContain("one GET /mcp");
    expect(texts[1]).toContain("its-own");
    expect(texts[2]).toContain("one GET /node");
    expect(texts.join(" ")).not.toMatch(/signalbox-face-key"|signalbox_face_/);
    expect(texts[3]).toContain("there is no face shop-1-other that");
    expect(texts[4]).toContain("there is no face nobody-page that");
    const { hosts } = await rig.call("run.egress", { run });
    expect(hosts.map(({ host, connections, refusals }) => [host, connections > 0, refusals > 0])).toEqual([
      ["shop-1-page.faces", true, false],
      ["shop-1-tools.faces", true, false],
      ["shop-1-other.faces", false, true],
      ["nobody-page.faces", false, true],
    ]);
  });

  test("[FC15] a WebSocket of a face is carried both ways, by name, with the same authority", async () => {
    const talk = (address: string): string =>
      `node -e 'const w = new WebSocket("${address}"); w.onmessage = ({ data }) => { console.log(data); if (data.startsWith("echo")) w.close(); else w.send("hello"); }; w.onclose = () => console.log("closed"); w.onerror = () => console.log("failed")'`;
    const asking = "-H 'connection: Upgrade' -H 'upgrade: websocket' -H 'sec-websocket-version: 13'";
    const bare = `curl -s -N -i ${asking} -H 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=='`;
    const { run, texts } = await said(
      "caller",
      talk("ws://shop-1-page.faces/live?a=1"),
      talk("ws://shop-1-other.faces/live"),
      `${bare} http://shop-1-page.faces/once | tr -d '\\000-\\011'`,
      `${bare} -H 'origin: http://shop-1-page.faces' -p http://shop-1-page.faces/once | tr -d '\\000-\\011'`,
      `${bare} -H 'origin: http://elsewhere.org' http://shop-1-page.faces/once`,
      `${bare} http://shop-1-page.faces/never`,
      `${bare} http://shop-1-other.faces/once`,
    );
    expect(texts[0]).toMatch(/socket \/live\?a=1 [^]*echo hello[^]*closed/);
    expect(texts[1]).not.toContain("socket");
    expect(texts[2]).toMatch(/101 Switching Protocols[^]*sec-websocket-accept[^]*socket \/once/);
    expect(texts[3]).toMatch(/101 Switching Protocols[^]*"origin":"http:\/\/shop-1-page\.localhost:/);
    expect(texts[4]).toContain("forbidden-origin");
    expect(texts[5]).toMatch(/418 [^]*no/);
    expect(texts[6]).toContain("there is no face shop-1-other that");
    expect(texts.join(" ")).not.toMatch(/signalbox-face-key"|signalbox_face_/);
    const { hosts } = await rig.call("run.egress", { run });
    expect(hosts.map(({ host, refusals }) => [host, refusals > 0])).toEqual([
      ["shop-1-page.faces", false],
      ["shop-1-other.faces", true],
    ]);
  });

  test("[FC16] from a living agent they are called while its run is at work, by whoever is in it, and not a moment longer", async () => {
    const quiet = "template: house\nservices: { idle: { command: sleep 1000 } }\n";
    const house = await rig.up(quiet);
    const [wait, ask] = ["while [ ! -e /tmp/go ]; do sleep 0.05; done", "curl -s http://shop-1-page.faces/inside"];
    const steps = [ask, "curl -s http://shop-1-other.faces/", "curl -s http://example.org/", "touch /tmp/up", wait];
    const script = `task: call\nsteps:\n${steps.map((each) => `- run: ${JSON.stringify(each)}`).join("\n")}\n`;
    // Services are told of no way out: the agent has no network.
    const way = "http_proxy=http://127.0.0.1:31128";
    expect(await rig.exec(house, `env | grep -ci proxy; ${way} ${ask}`)).toMatch(
      /^0\n[^]*there is no face shop-1-page/,
    );
    const { run, warnings } = await rig.call("run.submit", {
      ...{ project: "shop", script, profile: "caller", agent: house.id },
    });
    expect(warnings.map(({ code }) => code)).not.toContain("faces-not-called");
    const isUp = (): Promise<string> => rig.exec(house, "ls /tmp/up || true");
    await expect.poll(isUp, { timeout: 30_000 }).toBe("/tmp/up\n");
    // Nobody can tell who calls, and who is beside the run may as well.
    expect(await rig.exec(house, `${way} ${ask}`)).toContain("one GET /inside");
    const talk = `NODE_USE_ENV_PROXY=1 ${way} node -e 'const w = new WebSocket("ws://shop-1-page.faces/live"); w.onmessage = () => require("fs").writeFileSync("/tmp/open", ""); w.onclose = () => console.log("cut off"); w.onerror = () => console.log("failed")'`;
    const talking = rig.exec(house, talk);
    await expect.poll(() => rig.exec(house, "ls /tmp/open || true"), { timeout: 30_000 }).toBe("/tmp/open\n");
    await rig.exec(house, "touch /tmp/go");
    expect(await talking).toContain("cut off");
    const over = await rig.call("run.wait", { run, waitMs: 20_000 });
    expect(over).toMatchObject({ reached: true, run: { state: "done" } });
    expect(await rig.exec(house, `${way} ${ask}`)).toContain("there is no face shop-1-page that house-1 may call");
    const { events } = await rig.call("run.log", { run, limit: 1000 });
    const texts = events.filter(({ type }) => type === "call.finished").map((event) => String(event["summary"]));
    expect(texts[0]).toContain("one GET /inside");
    expect(texts[1]).toContain("there is no face shop-1-other that");
    expect(texts[2]).toContain("has no network");
    const found = await rig.call("events.read", { types: ["egress.tried"], agent: house.id, limit: 1000 });
    const called = found.events.filter((event) => event["refused"] === null);
    expect([...new Set(called.map((event) => event["tenant"]))]).toEqual([run]);
  });

  test("[FC15] nothing but the face is reached by it: not the API, not the machine, not the network", async () => {
    const { port } = new URL((await rig.call("status", {})).url);
    const { texts } = await said(
      "caller",
      `curl -s -H 'host: 127.0.0.1:${port}' http://shop-1-page.faces/api/v1/status`,
      `curl -s -H 'host: shop-1-other.localhost:${port}' http://shop-1-page.faces/`,
      `curl -s --noproxy '' http://127.0.0.1:${port}/api/v1/status`,
      "curl -s http://example.org/",
      `curl -s -p http://shop-1-page.faces:${port}/tunnel`,
    );
    expect(texts[0]).toContain("one GET /api/v1/status");
    expect(texts[1]).toContain("one GET /");
    expect(texts[2]).toContain("has no network");
    expect(texts[3]).toContain("has no network");
    expect(texts[4]).toContain("one GET /tunnel");
    const { texts: none } = await said(null, "curl -s http://shop-1-page.faces/ || echo no way");
    expect(none[0]).not.toContain("one GET");
  });
});
