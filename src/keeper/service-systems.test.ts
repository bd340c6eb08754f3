// Services with an image of their own, beside commands on the machine's system, in one cage.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeImageRoot } from "../../test/support/image-root.ts";
import { giveTo, KeeperRig, noCages, whos } from "../../test/support/keeper-rig.ts";
import type { SystemOrder } from "../protocol/keeper/keeper-wire.ts";

let calls = 0;

/** What a script says on the system of a service. */
async function saidOn(rig: KeeperRig, system: string, script: string, cwd: string | null = null): Promise<string> {
  const call = `on-${++calls}`;
  await rig.client.start({ call, argv: ["/bin/sh", "-c", script], cwd, env: {}, timeoutMs: 50_000, system });
  return (await rig.client.wait(call)).tail.trimEnd();
}

describe.skipIf(noCages).each(whos)("the system of a service, as %s", (who) => {
  let rig: KeeperRig;
  let end: () => Promise<void>;
  let folder: string;
  let order: SystemOrder;

  const make = (name: string, more: Partial<SystemOrder> = {}): Promise<unknown> =>
    rig.client.request({ op: "system", name, system: { ...order, ...more } });

  beforeAll(async () => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), "signalbox-test-"));
    const root = join(folder, "image");
    makeImageRoot(root);
    mkdirSync(join(root, "var/lib/db"), { recursive: true });
    mkdirSync(join(root, "run"));
    writeFileSync(join(root, "var/lib/db/first"), "of the image\n");
    mkdirSync(join(folder, "data"));
    giveTo(who, folder);
    const data = [{ inside: "/var/lib/db", outside: join(folder, "data/db") }];
    order = { root, env: { OF: "the image" }, workdir: "/var/lib", data, workspace: false };
    const joined = { version: 1, hosts: ["pg.other.agents"], peers: [], admits: [] };
    ({ rig, end } = await KeeperRig.shared(who, { files: { "src/a.txt": "a\n" }, order: { joined } }));
    await make("db");
  });
  afterAll(async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  });

  test("[SV60] is the image's, with the agent's processes and network, as the one ordinary user", async () => {
    expect(await saidOn(rig, "db", "pwd; cat /opt/of-the-image; echo $OF; id -u; id -un; echo $HOME")).toBe(
      "/var/lib\nyes\nthe image\n1000\nagent\n/home/agent",
    );
    const namespaces = "readlink /proc/self/ns/net /proc/self/ns/pid /proc/self/ns/ipc";
    expect(await saidOn(rig, "db", namespaces)).toBe(await rig.said(namespaces));
    expect(await rig.said("ls /opt/of-the-image 2>&1")).toContain("No such file");
    expect(await saidOn(rig, "db", "cat /etc/hosts")).toContain("127.0.0.1 pg.other.agents");
  });

  test("[SV60] has no capabilities, no new namespaces, no mounts, and a filter", async () => {
    const status = await saidOn(rig, "db", "grep -hE '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status | tr -d '\\t'");
    const nothing = ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].map((name) => `${name}:0000000000000000`);
    expect(status.split("\n")).toEqual([...nothing, "NoNewPrivs:1", "Seccomp:2"]);
    const tries = ["mount -t tmpfs x /tmp", "mount -o remount,rw /", "umount /var/lib/db", "unshare -Ur true"];
    const script = tries.map((each) => `${each} > /dev/null 2>&1 < /dev/null && echo '${each}'; `).join("");
    expect(await saidOn(rig, "db", `${script} echo over; grep -vc nosuid /proc/mounts`)).toBe("over\n0");
  });

  test("[SV62] can be written to, for itself alone, but not what is ours in it", async () => {
    const writes = "echo x > /usr/mine && echo x > /run/mine && echo x > /tmp/mine && echo x > ~/mine && echo wrote";
    expect(await saidOn(rig, "db", writes)).toBe("wrote");
    // It is there for the next one of it, and for nobody else; nor is the image another.
    expect(await saidOn(rig, "db", "cat /usr/mine /run/mine /tmp/mine ~/mine | tr -d '\\n'")).toBe("xxxx");
    await make("other", { data: [] });
    expect(await saidOn(rig, "other", "ls /usr/mine /run/mine /tmp/mine ~/mine 2>&1 | grep -c 'No such file'")).toBe(
      "4",
    );
    expect(existsSync(join(order.root, "usr/mine"))).toBe(false);
    expect(readFileSync(`/proc/${rig.keeperPid}/mounts`, "utf8")).toMatch(/\/systems\/1 tmpfs \S*\bsize=524288k/);
    const ours =
      "for p in /x /.signalbox/setpriv /.signalbox/x /etc/hosts /dev/x; do (echo x > $p) 2>/dev/null && echo $p; done";
    expect(await saidOn(rig, "db", `${ours}; rm -f /etc/hosts 2>/dev/null && echo gone; echo over`)).toBe("over");
  });

  test("[SV62] has folders that begin as the image has them and outlive their keeper", async () => {
    expect(await saidOn(rig, "db", "cat db/first; echo kept > db/second")).toBe("of the image");
    expect(readdirSync(join(folder, "data/db")).toSorted()).toEqual(["first", "second"]);
    const { rig: later, end: endLater } = await KeeperRig.shared(who);
    try {
      await later.client.request({ op: "system", name: "db", system: order });
      expect(await saidOn(later, "db", "cat db/second; ls /usr/mine 2>&1")).toMatch(/^kept\n.*No such file/);
    } finally {
      await endLater();
    }
  });

  test("[SV63] sees neither the workspace nor the agent's home, unless that is asked for", async () => {
    await rig.run("echo b > b.txt; echo h > ~/of-the-agent");
    expect(await saidOn(rig, "db", "ls /srv/project ~/of-the-agent 2>&1 | grep -c 'No such file'")).toBe("2");
    await make("site", { workspace: true, data: [] });
    expect(await saidOn(rig, "site", "pwd; cat src/a.txt b.txt; echo c > c.txt", "src/..")).toBe("/srv/project\na\nb");
    expect(await rig.said("cat c.txt")).toBe("c");
  });

  test("[SV64] becomes another when its image or its folders do, and stays what it is otherwise", async () => {
    await make("shift", { data: [] });
    await saidOn(rig, "shift", "echo x > /usr/mine");
    await make("shift", { data: [], env: { OF: "somebody else" } });
    expect(await saidOn(rig, "shift", "ls /usr/mine; echo $OF")).toBe("/usr/mine\nsomebody else");
    const [data, workdir] = [[{ inside: "/srv/deep/data", outside: join(folder, "data/shift") }], "/srv/deep"];
    await make("shift", { data, workdir });
    expect(await saidOn(rig, "shift", "pwd; ls /usr/mine 2>&1; echo d > data/d")).toMatch(
      /^\/srv\/deep\n.*No such file/,
    );
    expect(readFileSync(join(folder, "data/shift/d"), "utf8")).toBe("d\n");
  });

  test("[SV60] is one that was made, or nothing starts", async () => {
    await expect(saidOn(rig, "nobody", "true")).rejects.toMatchObject({
      code: "bad-request",
      message: "there is no system of nobody here: it was never started",
    });
  });

  test.each([
    ["no plain path", ["/srv/../etc"], "no place to show in a cage"],
    ["the whole", ["/"], "no place to show in a cage"],
    ["one in another", ["/srv", "/srv/deep"], "/srv cannot be a folder that stays: it has /srv/deep in it"],
    ["one with the workspace in it", ["/srv"], "/srv cannot be a folder that stays: it has /srv/project in it"],
    ["one with names of hosts in it", ["/etc"], "/etc cannot be a folder that stays: it has /etc/hosts in it"],
    ["one that is ours", ["/.signalbox/x"], "/.signalbox/x cannot be a folder that stays: it is not the image's own"],
  ])("[SV62] folders that stay are places of the image: not %s", async (_, insides, message) => {
    const data = insides.map((inside) => ({ inside, outside: join(folder, "data/bad") }));
    await expect(make("bad", { data, workspace: true })).rejects.toThrow(message);
  });

  test("[SV60] goes with everything in the agent", async () => {
    const argv = ["/bin/sh", "-c", "echo there; exec sleep 4713"];
    await rig.client.start({ call: "stays", argv, cwd: null, env: {}, timeoutMs: null, system: "db" });
    await rig.heard("stays", "there");
    expect((await rig.client.stopAll(0)).stopped).toBe(1);
    expect(await saidOn(rig, "db", "ps -e -o args= | grep -cx 'sleep 4713'")).toBe("0");
  });
});

describe.skipIf(noCages)("a service that means it badly", () => {
  test("[SV62] leads no mount and no program of ours elsewhere by what it puts in its system", async () => {
    const who = whos[0] ?? "user";
    const rig = await KeeperRig.open(who);
    const [root, outside] = [rig.path("image"), rig.path("outside")];
    makeImageRoot(root, ["sh", "grep", "ln", "ls", "mv", "rm", "tr"]);
    mkdirSync(outside);
    mkdirSync(rig.path("data"));
    // Also what an image itself has in these places is never followed.
    for (const name of ["var", "home", "run"]) symlinkSync(outside, join(root, name));
    giveTo(who, rig.base);
    const data = [{ inside: "/var/lib/db", outside: rig.path("data/db") }];
    const system: SystemOrder = { root, env: {}, workdir: "/", data, workspace: true };
    await rig.client.request({ op: "system", name: "db", system });
    expect(readdirSync(outside)).toEqual([]);
    const hostile = [
      `mv /var/lib /var/before; ln -s ${outside} /var/lib`,
      `mv /tmp /before; mv /srv /before; mv /proc /before; ln -s ${outside} /proc`,
      `rm -rf /run/*; ln -s ${outside} /run/signalbox; mv /.signalbox /before; rm -rf /.signalbox`,
      `mv /srv/project /srv/before && ln -s ${outside} /srv/project`,
    ];
    await saidOn(rig, "db", `(${hostile.join("; ")}) 2>/dev/null; echo over`);
    expect(await saidOn(rig, "db", "grep ^CapEff /proc/self/status | tr -d '\\t'; ls -d /.signalbox/setpriv")).toBe(
      "CapEff:0000000000000000\n/.signalbox/setpriv",
    );
    expect(await saidOn(rig, "db", "echo x > /var/before/db/x; echo over")).toBe("over");
    expect(readdirSync(rig.path("data/db"))).toEqual(["x"]);
    expect(readdirSync(outside)).toEqual([]);
    expect(await rig.said("pwd; echo fine > fine.txt; cat fine.txt")).toBe("/srv/project\nfine");
  });
});

test.skipIf(noCages)("[SV63] a workspace that lies in /dev is not shown to a service, and that is said", async () => {
  const rig = await KeeperRig.open(whos[0] ?? "user", { order: { root: "/dev/shm/project" } });
  makeImageRoot(rig.path("image"), ["sh"]);
  const system: SystemOrder = { root: rig.path("image"), env: {}, workdir: "/", data: [], workspace: true };
  const making = rig.client.request({ op: "system", name: "db", system });
  await expect(making).rejects.toThrow("/dev/shm/project lies in /dev");
});
