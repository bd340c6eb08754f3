import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { outerHost } from "../../protocol/keeper/outer-host.ts";
import { pidNamespaceOf } from "../os/processes.ts";
import { freePorts } from "../../../test/support/free-ports.ts";
import { WaysIn } from "./ways-in.ts";
import { KeeperRig, noCages, whos } from "../../../test/support/keeper-rig.ts";

const noVersion6 = !Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === "::1"));

// What services inside do with a connection.
const services = {
  echo: "s.pipe(s)",
  hear: 'let n = 0; s.on("data", (b) => (n += b.length)); s.on("end", () => s.end(`heard ${n}`))',
  greet: 's.end("welcome")',
  cut: 's.write("half"); s.once("data", () => s.resetAndDestroy())',
  listen: 's.end("over"); let n = 0; s.on("data", (b) => (n += b.length)); s.on("end", () => console.log("heard", n))',
  last: 's.write("before"); s.once("data", () => s.write("after"))',
};

test("[AG30] a port that cannot be had at one address leads inside from none, and can be had later", async () => {
  const [port = 0] = await freePorts(1);
  const foreign = createServer().listen(port, "127.0.0.3");
  await once(foreign, "listening");
  const ways = await WaysIn.open({ ports: [], hosts: ["127.0.0.2", "127.0.0.3"] }, async () => undefined);
  onTestFinished(() => ways.close());
  expect(await ways.set([port], 1)).toEqual([port]);
  const [error] = (await once(connect(port, "127.0.0.2"), "error").catch((thrown: unknown) => [thrown])) as [unknown];
  expect(error).toMatchObject({ code: "ECONNREFUSED" });
  foreign.close();
  await once(foreign, "close");
  expect(await ways.set([port], 2)).toEqual([]);
});

describe.skipIf(noCages).each(whos)("ways into the cage, as %s", (who) => {
  let rig: KeeperRig;
  let end: () => Promise<void>;
  let [port, other]: number[] = [];

  beforeAll(async () => {
    [port, other] = await freePorts(2);
    ({ rig, end } = await KeeperRig.shared(who, { order: { ports: [port, other] as number[] } }));
  });
  afterAll(() => end());

  /** A service inside, until the test is over. */
  async function serve(what: keyof typeof services, host = "127.0.0.1", at = port): Promise<string> {
    const call = await rig.begin(`exec ${process.execPath} -e '
      const server = require("net").createServer({ allowHalfOpen: true }, (s) => { s.on("error", () => {}); ${services[what]}; });
      server.listen(${at}, "${host}", () => console.log("listening"));' 2>&1`);
    onTestFinished(async () => void (await rig.client.stop(call, 0)));
    await rig.heard(call, "listening");
    return call;
  }

  function reach(host = outerHost, at = port): Socket {
    const socket = connect({ host, port: at ?? 0, allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    return socket;
  }

  test("[AG30] a port of the machine leads to the same port inside, and bytes go both ways", async () => {
    await serve("echo");
    expect(await heardFrom(reach().end("hello"))).toBe("hello");
  });

  test.each(["127.0.0.1", ...(noVersion6 ? [] : ["::1"])])(
    "[AG30] nothing of it is at %s, where the console is",
    async (host) => {
      await serve("echo");
      await expect(heardFrom(reach(host).end("hello"))).rejects.toThrow("ECONNREFUSED");
    },
  );

  test("[AG30] each port leads to its own", async () => {
    await serve("echo");
    await serve("greet", "127.0.0.1", other);
    expect(await heardFrom(reach(outerHost, other))).toBe("welcome");
    expect(await heardFrom(reach().end("echoed"))).toBe("echoed");
  });

  test.skipIf(noVersion6)("[AG30] a service that listens on version 6 alone is reached", async () => {
    await serve("echo", "::1");
    expect(await heardFrom(reach().end("hello"))).toBe("hello");
  });

  test("[AG31] one half goes on when the other is over", async () => {
    await serve("hear");
    const socket = reach();
    socket.write("one");
    socket.end("two");
    expect(await heardFrom(socket)).toBe("heard 6");
  });

  test("[AG31] and so it is when the service is over first", async () => {
    const call = await serve("listen");
    const socket = reach();
    expect(await heardFrom(socket)).toBe("over");
    socket.write("one");
    socket.end("two");
    await rig.heard(call, "heard 6");
    expect(socket.writableFinished).toBe(true);
  });

  test("[AG31] what a service says first is not lost", async () => {
    await serve("greet");
    expect(await heardFrom(reach())).toBe("welcome");
  });

  test("[AG31] carries more than any buffer holds", async () => {
    await serve("echo");
    const sent = Buffer.alloc(8_000_000, "0123456789abcdef");
    const socket = reach();
    socket.end(sent);
    expect(Buffer.concat((await socket.toArray()) as Buffer[]).equals(sent)).toBe(true);
  });

  test("[SV26] other ports lead inside from the moment that it is said, and whoever is connected stays so", async () => {
    const [more = 0, foreign = 0] = await freePorts(2);
    const theirs = createServer().listen(foreign, outerHost);
    onTestFinished(() => void theirs.close());
    await once(theirs, "listening");
    const set = (ports: readonly (number | undefined)[], version: number): Promise<unknown> =>
      rig.client.request({ op: "ways", ports: ports as number[], version });
    await serve("echo", "127.0.0.1", more);
    expect(await set([port, other, more, foreign], 2)).toEqual({ lacking: [foreign] });
    const open = reach(outerHost, more);
    await once(open, "connect");
    expect(await set([port, more], 1)).toEqual({ lacking: [] });
    expect(await heardFrom(reach(outerHost, more).end("hello"))).toBe("hello");
    expect(await set([port, other], 3)).toEqual({ lacking: [] });
    await expect(heardFrom(reach(outerHost, more))).rejects.toThrow("ECONNREFUSED");
    expect(await heardFrom(open.end("still"))).toBe("still");
  });

  test("[AG31] whoever is cut off hears of it", async () => {
    await serve("cut");
    const socket = reach();
    await once(socket, "readable");
    expect(String(socket.read())).toBe("half");
    socket.write("x");
    await expect(heardFrom(socket)).rejects.toThrow("ECONNRESET");
  });

  test("[AG31] a hundred connections at once, each with its own", async () => {
    await serve("echo");
    const words = Array.from({ length: 100 }, (_, index) => `word ${index}`);
    expect(await Promise.all(words.map((word) => heardFrom(reach().end(word))))).toEqual(words);
  });

  test("[AG31] no more connections than there is room for, and room again when one is over", async () => {
    await serve("last");
    const open = Array.from({ length: 256 }, () => reach());
    await Promise.all(open.map((socket) => once(socket, "readable")));
    await expect(heardFrom(reach())).rejects.toThrow("ECONNRESET");
    const [first, second] = open as [Socket, Socket];
    first.resetAndDestroy();
    // The keeper hears of both in this order.
    expect(String(second.read())).toBe("before");
    second.write("x");
    await once(second, "readable");
    const late = reach();
    await once(late, "readable");
    expect(String(late.read())).toBe("before");
  });

  test("[AG31] a connection is reset while nothing listens inside, and the next one finds who has come", async () => {
    await expect(heardFrom(reach())).rejects.toThrow("ECONNRESET");
    await serve("greet");
    expect(await heardFrom(reach())).toBe("welcome");
  });

  test("[AG32] leads there again after everything inside was ended", async () => {
    await serve("echo");
    const before = reach();
    before.write("x");
    await once(before, "data");
    const over = once(before, "end");
    await rig.client.stopAll(0);
    await over;
    // It would keep the network from going.
    await expect.poll(() => helpersOf(rig.keeperPid)).toEqual([]);
    await expect(heardFrom(reach())).rejects.toThrow("ECONNRESET");
    await serve("greet");
    expect(await heardFrom(reach())).toBe("welcome");
  });

  test("[AG32] leads there while the daemon is away", async () => {
    await serve("echo");
    rig.client.disconnect();
    expect(await heardFrom(reach().end("hello"))).toBe("hello");
  });

  test("[AG32] the helper that connects is begun anew when it was killed, and what waited for it is not lost", async () => {
    await serve("echo");
    expect(await heardFrom(reach().end("first"))).toBe("first");
    const [helper = 0, ...more] = helpersOf(rig.keeperPid);
    expect(more).toEqual([]);
    expect(pidNamespaceOf(helper)).toBe(pidNamespaceOf(process.pid));
    // What it is asked while it stands still, it never answers.
    process.kill(helper, "SIGSTOP");
    const waiting = reach();
    const heard = heardFrom(waiting.end("second"));
    await once(waiting, "connect");
    process.kill(helper, "SIGKILL");
    expect(await heard).toBe("second");
    expect(helpersOf(rig.keeperPid)).toHaveLength(1);
    expect(helpersOf(rig.keeperPid)).not.toContain(helper);
  });

  test("[AG32] nothing of ours is seen inside", async () => {
    await serve("echo");
    expect(await heardFrom(reach().end("hello"))).toBe("hello");
    expect(await rig.said("cat /proc/[0-9]*/cmdline | tr '\\0' ' '")).not.toContain("connect-inside");
  });
});

describe.skipIf(noCages).each(whos)("ports of the machine, as %s", (who) => {
  const taken = async (port: number, host: string): Promise<Server> => {
    const server = createServer();
    onTestFinished(() => void server.close());
    await once(server.listen(port, host), "listening");
    return server;
  };

  test.each<[host: string, caged: boolean]>([
    [outerHost, true],
    ["0.0.0.0", true],
    ["127.0.0.1", false],
    [noVersion6 ? "127.0.0.1" : "::1", false],
  ])("[AG33] one that is in use at %s refuses the opening, caged: %s, and none is kept", async (host, caged) => {
    const [free, used] = (await freePorts(2)) as [number, number];
    const server = await taken(used, host);
    const rig = await KeeperRig.start(who, { order: { ports: [free, used], caged } });
    const refusal = { code: "port-taken", retry: "never", data: { port: used } };
    await expect(rig.client.open(rig.order)).rejects.toMatchObject(refusal);
    await once((await taken(free, caged ? outerHost : "127.0.0.1")).close(), "close");
    await once(server.close(), "close");
    await rig.client.open(rig.order);
    expect(await rig.said("echo works")).toBe("works");
  });

  test("[AG33] they are free again when the agent is closed, and its helper is gone", async () => {
    const [port] = (await freePorts(1)) as [number];
    const rig = await KeeperRig.open(who, { order: { ports: [port] } });
    await expect(heardFrom(connect(port, outerHost))).rejects.toThrow("ECONNRESET");
    const helpers = helpersOf(rig.keeperPid);
    expect(helpers).toHaveLength(1);
    await rig.client.close(0);
    await expect.poll(() => helpers.filter((pid) => isThere(pid))).toEqual([]);
    expect((await taken(port, outerHost)).listening).toBe(true);
  });

  test("[AG33] they go with a keeper that is killed, and so does its helper", async () => {
    const [port] = (await freePorts(1)) as [number];
    const rig = await KeeperRig.open(who, { order: { ports: [port] } });
    await expect(heardFrom(connect(port, outerHost))).rejects.toThrow("ECONNRESET");
    const helpers = helpersOf(rig.keeperPid);
    expect(helpers).toHaveLength(1);
    await rig.killKeeper();
    await expect.poll(() => helpers.filter((pid) => isThere(pid))).toEqual([]);
    await rig.replace();
    await rig.client.open(rig.order);
    await expect(taken(port, outerHost)).rejects.toThrow("EADDRINUSE");
  });

  test("[AG33] without a cage nobody listens there but the services", async () => {
    const [port] = (await freePorts(1)) as [number];
    await KeeperRig.open(who, { order: { ports: [port], caged: false } });
    expect((await taken(port, "127.0.0.1")).listening).toBe(true);
  });

  test("[AG33] a refused opening leaves nothing mounted where the agent would have worked", async () => {
    const [port] = (await freePorts(1)) as [number];
    const server = await taken(port, "127.0.0.1");
    const rig = await KeeperRig.start(who);
    const order = { ...rig.order, ports: [port], caged: false, root: rig.path("outbox") };
    const mounts = (): string => readFileSync(`/proc/${rig.keeperPid}/mountinfo`, "utf8");
    await expect(rig.client.open(order)).rejects.toThrow("cannot be taken");
    expect(mounts()).not.toContain(order.root);
    await once(server.close(), "close");
    await rig.client.open(order);
    expect(mounts()).toContain(order.root);
  });

  test("[AG33] what is no port, or leads out, is refused", async () => {
    const rig = await KeeperRig.start(who);
    const bridges = [{ port: 31_128, socket: rig.path("out.sock") }];
    await expect(rig.client.open({ ...rig.order, ports: [0] })).rejects.toThrow("have to be ports");
    await expect(rig.client.open({ ...rig.order, ports: [31_128], bridges })).rejects.toThrow("leads out");
  });
});

async function heardFrom(socket: Socket): Promise<string> {
  return Buffer.concat((await socket.toArray()) as Buffer[]).toString();
}

/** The programs of a keeper that connect inside. */
function helpersOf(keeper: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && textOf(pid, "stat").split(") ")[1]?.split(" ")[1] === String(keeper))
    .filter((pid) => textOf(pid, "cmdline").includes("connect-inside"));
}

/** Whether it still runs. One that only waits to be collected does not. */
function isThere(pid: number): boolean {
  return textOf(pid, "cmdline").includes("connect-inside");
}

function textOf(pid: number, name: "stat" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}
