// Two agents that are joined, and a third that is not. Each attempt to reach more than a joined service is made for real.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JoinOrder } from "../../protocol/keeper/keeper-wire.ts";
import { outerHost } from "../../protocol/keeper/outer-host.ts";
import { freePorts } from "../../../test/support/free-ports.ts";
import { giveTo, KeeperRig, noCages, whos } from "../../../test/support/keeper-rig.ts";

describe.skipIf(noCages).each(whos)("joined agents, as %s", (who) => {
  let folder: string;
  let shop: KeeperRig;
  let db: KeeperRig;
  let third: KeeperRig;
  const ends: (() => Promise<void>)[] = [];
  let ports: { readonly shop: number; readonly db: number; readonly hidden: number; readonly third: number };
  let version = 0;

  const socket = (agent: string, port: number): string => join(folder, agent, `${port}.sock`);
  const nobody = (): JoinOrder => ({ version: ++version, hosts: [], peers: [], admits: [] });
  const to = (own: [string, number], other: [string, number]): JoinOrder => ({
    version: ++version,
    hosts: [`web.${other[0]}.agents`],
    peers: [{ agent: other[0], bridges: [{ port: other[1], socket: socket(...other) }] }],
    admits: [{ port: own[1], socket: socket(...own) }],
  });
  const ask = (rig: KeeperRig, joined: JoinOrder): Promise<unknown> => rig.client.request({ op: "join", joined });

  /** Says a word to whoever connects, and its own name with it. */
  const serve = (port: number, word: string, host = "127.0.0.1"): string =>
    `exec ${process.execPath} -e 'require("net").createServer((s) => { s.on("error", () => 0); s.write("${word}\\n"); s.on("data", (b) => s.write(b)); }).listen(${port}, "${host}", () => console.log("listening"))'`;
  /** The first line that is said there, or why nothing is. */
  const hear = (host: string, port: number): string =>
    `${process.execPath} -e '
      const s = require("net").connect(${port}, "${host}");
      s.setTimeout(3000, () => { console.log("silence"); process.exit(); });
      s.on("data", (b) => { console.log(String(b).trim()); process.exit(); });
      s.on("error", (e) => { console.log(e.code); process.exit(); }); s.on("close", () => console.log("closed"));' 2>&1`;

  beforeAll(async () => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), "sbj-"));
    for (const agent of ["ag_shop", "ag_db", "ag_third"]) mkdirSync(join(folder, agent));
    giveTo(who, folder);
    const [one = 0, two = 0, three = 0, four = 0] = await freePorts(4);
    ports = { shop: one, db: two, hidden: three, third: four };
    const open = async (agent: string, port: number): Promise<KeeperRig> => {
      const order = { agent, ports: [port], joined: nobody() };
      const { rig, end } = await KeeperRig.shared(who, { order });
      ends.push(end);
      return rig;
    };
    shop = await open("ag_shop", ports.shop);
    db = await open("ag_db", ports.db);
    third = await open("ag_third", ports.third);
    await db.heard(await db.begin(serve(ports.db, "database")), "listening");
    await db.heard(await db.begin(serve(ports.hidden, "hidden")), "listening");
    await third.heard(await third.begin(serve(ports.third, "third")), "listening");
  });
  afterAll(async () => {
    for (const end of ends) await end();
    rmSync(folder, { recursive: true, force: true });
  });

  async function joinBoth(): Promise<void> {
    await ask(db, to(["ag_db", ports.db], ["ag_shop", ports.shop]));
    await ask(shop, to(["ag_shop", ports.shop], ["ag_db", ports.db]));
  }

  test("[AW23] reach each other's services by name, and nothing else of each other", async () => {
    expect(await shop.said(hear("web.ag_db.agents", ports.db))).toMatch(/ENOTFOUND|EAI_AGAIN/);
    expect(await shop.said(hear("127.0.0.1", ports.db))).toBe("ECONNREFUSED");
    await joinBoth();
    expect(await shop.said(hear("web.ag_db.agents", ports.db))).toBe("database");
    // What is no port of the agent stays its own, also where it listens beside one that is.
    expect(await shop.said(hear("web.ag_db.agents", ports.hidden))).toBe("ECONNREFUSED");
    expect(await shop.said("cat /etc/hosts | tail -1; echo x >> /etc/hosts")).toMatch(
      /^127\.0\.0\.1 web\.ag_db\.agents\n.*(Read-only|denied)/,
    );
  });

  test("[AW25] no way leads to the machine's loopback, to where agents are on the machine, or to a third agent", async () => {
    await joinBoth();
    const host = createServer((socket) => socket.end("machine\n"));
    await new Promise<void>((resolve) => void host.listen(0, "127.0.0.1", resolve));
    const { port } = host.address() as { port: number };
    try {
      expect(await shop.said(hear("127.0.0.1", port))).toBe("ECONNREFUSED");
      expect(await shop.said(hear(outerHost, ports.third))).toBe("ECONNREFUSED");
      expect(await shop.said(hear(outerHost, ports.db))).toBe("ECONNREFUSED");
      expect(await shop.said(hear("127.0.0.1", ports.third))).toBe("ECONNREFUSED");
      expect(await shop.said(`ls ${folder} 2>&1`)).toContain("No such file");
      // The third is joined to the second: that is no way for the first.
      await ask(third, to(["ag_third", ports.third], ["ag_db", ports.db]));
      expect(await third.said(hear("127.0.0.1", ports.db))).toBe("database");
      expect(await shop.said(hear("127.0.0.1", ports.third))).toBe("ECONNREFUSED");
      await ask(third, nobody());
    } finally {
      await new Promise<void>((resolve) => void host.close(() => resolve()));
    }
  });

  test("[AW25] somebody who takes the number of a joined service that is gone is not reached in its place", async () => {
    const { rig: gone, end } = await KeeperRig.shared(who, {
      order: { agent: "ag_gone", ports: [ports.hidden], joined: nobody() },
    });
    mkdirSync(join(folder, "ag_gone"));
    giveTo(who, join(folder, "ag_gone"));
    await gone.heard(await gone.begin(serve(ports.hidden, "gone")), "listening");
    await ask(gone, to(["ag_gone", ports.hidden], ["ag_shop", ports.shop]));
    await ask(shop, to(["ag_shop", ports.shop], ["ag_gone", ports.hidden]));
    expect(await shop.said(hear("127.0.0.1", ports.hidden))).toBe("gone");
    await gone.killKeeper();
    const taker = createServer((socket) => socket.end("somebody else\n"));
    await expect
      .poll(
        () =>
          new Promise((resolve) => taker.once("error", resolve).listen(ports.hidden, outerHost, () => resolve(null))),
      )
      .toBeNull();
    try {
      expect(await shop.said(hear("127.0.0.1", ports.hidden))).not.toContain("somebody");
    } finally {
      await new Promise<void>((resolve) => void taker.close(() => resolve()));
      await ask(shop, nobody());
      await end();
    }
  });

  test("[AW24] are cut off when they are parted, also in the middle, and what was said before is no news", async () => {
    await joinBoth();
    const stale = to(["ag_shop", ports.shop], ["ag_db", ports.db]);
    const call = await shop.begin(
      `${process.execPath} -e 'const s = require("net").connect(${ports.db}, "127.0.0.1"); s.on("data", (b) => process.stdout.write(b)); s.on("close", () => console.log("cut off"));'`,
    );
    await shop.heard(call, "database");
    await ask(shop, nobody());
    expect((await shop.client.wait(call)).tail).toContain("cut off");
    await ask(shop, stale);
    expect(await shop.said(hear("127.0.0.1", ports.db))).toBe("ECONNREFUSED");
    expect(await shop.said("cat /etc/hosts")).not.toContain("agents");
    // The other end has no ear for it either.
    await ask(db, nobody());
    await ask(shop, to(["ag_shop", ports.shop], ["ag_db", ports.db]));
    expect(await shop.said(hear("127.0.0.1", ports.db))).not.toContain("database");
    await ask(shop, nobody());
  });

  test("[AW24] are joined again after everything inside was ended and begun anew", async () => {
    await joinBoth();
    await shop.client.stopAll(0);
    expect(await shop.said(hear("web.ag_db.agents", ports.db))).toBe("database");
    await ask(shop, nobody());
    await ask(db, nobody());
  });

  test("[AW23] an order that is none is refused, and changes nothing", async () => {
    await joinBoth();
    const bad = [
      { hosts: ["a b\n127.0.0.1 c"] },
      { peers: [{ agent: "x", bridges: [{ port: 0, socket: "/x" }] }] },
      { admits: [{ port: 1 }] },
      { version: "1" },
    ];
    for (const each of bad)
      await expect(ask(shop, { ...nobody(), ...each } as never)).rejects.toMatchObject({ code: "bad-request" });
    expect(await shop.said(hear("web.ag_db.agents", ports.db))).toBe("database");
  });
});
