// One suite over every system that an agent can have inside: the machine's own, and an image.

import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bridgeGreeting } from "../protocol/keeper/bridge-greeting.ts";
import { makeImageRoot } from "../../test/support/image-root.ts";
import { giveTo, KeeperRig, noCages, whos } from "../../test/support/keeper-rig.ts";
import type { CageOrder } from "../protocol/keeper/keeper-wire.ts";

const port = 31_140;
const images = whos.map((who) => ({ who, system: "image" as const }));
// What the machine's own promises to each kind of user, escape.test.ts tries at length.
const systems = [{ who: whos[0] ?? "user", system: "machine" as const }, ...images];

describe.skipIf(noCages).each(systems)("the $system as the system inside, as $who", ({ who, system }) => {
  let rig: KeeperRig;
  let end: () => Promise<void>;
  let folder: string;
  const server = createServer((connection) => connection.end(`${bridgeGreeting}from outside\n`));

  beforeAll(async () => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), "signalbox-test-"));
    makeImageRoot(join(folder, "image"));
    giveTo(who, folder);
    const socket = join(folder, "out.sock");
    await new Promise<void>((resolve) => void server.listen(socket, resolve));
    giveTo(who, socket);
    const env = { OF: "the image", HOME: "/root", PATH: "/opt/tools:/usr/bin", LD_PRELOAD: "" };
    const image = { root: join(folder, "image"), env };
    const order: Partial<CageOrder> = { bridges: [{ port, socket }], ...(system === "image" ? { image } : {}) };
    ({ rig, end } = await KeeperRig.shared(who, { files: { "src/a.txt": "a\n" }, order }));
  });
  afterAll(async () => {
    await end();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
    rmSync(folder, { recursive: true, force: true });
  });

  test("a command works in the workspace, at the project's own path, as an ordinary user", async () => {
    expect(await rig.said("pwd; cat src/a.txt; id -u; id -un; echo $HOME; echo b > b.txt")).toBe(
      "/srv/project\na\n1000\nagent\n/home/agent",
    );
    expect((await rig.client.read("b.txt")).size).toBe(2);
    expect(
      await rig.said("echo x > ~/x && cat /home/agent/x; echo y > /var/tmp/y && cat /tmp/y; echo z > /dev/null"),
    ).toBe("x\ny");
    expect(await rig.said("git --version")).toMatch(/^git version/);
  });

  test("nothing of the system can be written", async () => {
    const paths = "/usr/x /usr/bin/x /etc/passwd /x /bin/x /dev/x /run/x /var/x /home/x /srv/x";
    expect(await rig.said(`for p in ${paths}; do (echo x > $p) 2>/dev/null && echo wrote $p; done; echo over`)).toBe(
      "over",
    );
    expect(await rig.said("grep -vc nosuid /proc/mounts")).toBe("0");
    // Nor is anything added to the image, whoever has it.
    expect(readdirSync(join(folder, "image")).toSorted()).toEqual([
      "bin",
      "etc",
      "lib",
      "lib64",
      "opt",
      "srv",
      "tmp",
      "usr",
    ]);
  });

  test("there are no capabilities, no new namespaces, no mounts, and a filter", async () => {
    const status = await rig.said(
      "grep -hE '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status /proc/1/status | tr -d '\\t'",
    );
    const nothing = ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].map((name) => `${name}:0000000000000000`);
    expect(status.split("\n").slice(0, 7)).toEqual([...nothing, "NoNewPrivs:1", "Seccomp:2"]);
    expect(status.split("\n").slice(7)).toContain("Seccomp:2");
    const tries = [
      "mount -t tmpfs x /tmp",
      "mount -o remount,rw /",
      "umount /usr",
      "unshare -U true",
      "unshare -Ur true",
      "chroot / true",
      "mknod /tmp/null c 1 3",
    ];
    const script = tries.map((each) => `${each} > /dev/null 2>&1 < /dev/null && echo '${each}'; `).join("");
    expect(await rig.said(`${script} echo over`)).toBe("over");
  });

  test("no command is traced before its filter is in place", async () => {
    const hunter = await rig.begin(
      `while :; do for p in /proc/[0-9]*; do
         if [ "$p" != /proc/1 ] && readlink $p/root > /dev/null 2>&1; then
           read -r found < $p/status && grep -q '^Seccomp:.0' $p/status 2>/dev/null && echo prey $p >> /tmp/prey
         fi; done; done`,
    );
    for (let round = 0; round < 10; round++) await rig.run("true");
    await rig.client.stop(hunter, 0);
    expect(await rig.said("cat /tmp/prey 2>/dev/null")).toBe("");
  });

  test("nobody is reached but over bridges, and nobody else's processes are seen", async () => {
    const speak = (to: string): string => `bash -c 'exec 3<> /dev/tcp/${to} && cat <&3' 2>&1`;
    expect(await rig.said(speak(`127.0.0.1/${port}`))).toBe("from outside");
    expect(await rig.said(speak("127.0.0.1/1"))).toContain("refused");
    expect(await rig.said(speak("8.8.8.8/53"))).toContain("unreachable");
    expect(await rig.said("grep -c : /proc/net/dev; ls /proc | grep -c '^[0-9]'")).toMatch(/^1\n[3-9]$/);
    expect(await rig.said(`ls ${folder} ${rig.client.folder} 2>&1 | grep -c 'No such file'`)).toBe("2");
    await rig.run("kill -9 -1; kill -9 1");
    expect(await rig.said("echo still here")).toBe("still here");
  });

  test("orphans are collected, and everything ends together", async () => {
    await rig.run("(sleep 0 & ) ; (sleep 0 &)");
    expect(await rig.said("while ps -e -o stat= | grep -q Z; do :; done; echo none")).toBe("none");
    await rig.begin("sleep 4711");
    expect((await rig.client.stopAll(0)).stopped).toBeGreaterThan(0);
    expect(await rig.said("ps -e -o args= | grep -cx 'sleep 4711'")).toBe("0");
  });

  test.skipIf(system !== "image")(
    "[IM2] of the machine's programs and users none is there, and the image's are",
    async () => {
      expect(await rig.said("cat /opt/of-the-image; echo $OF; echo $PATH")).toBe("yes\nthe image\n/opt/tools:/usr/bin");
      expect(
        await rig.said(
          "ls /usr/bin/setpriv /usr/bin/nsenter /usr/sbin /usr/share /root /work 2>&1 | grep -vc 'No such file'",
        ),
      ).toBe("0");
      expect(await rig.said("cat /etc/passwd")).toBe(
        "agent:x:1000:1000:agent:/home/agent:/bin/sh\nroot:x:0:0::/root:/bin/sh\nother:x:1001:1001::/:/bin/sh",
      );
      const roots = "for p in /proc/[0-9]*; do ls $p/root/usr/bin 2>/dev/null; done | sort -u";
      expect(await rig.said(`${roots} | grep -cx setpriv`)).toBe("0");
    },
  );

  test.skipIf(system !== "image")("[IM2] what we bring along runs on the machine's own system, beside it", async () => {
    const argv = ["/bin/sh", "-c", "ls /usr/bin/setpriv; ls /opt/of-the-image 2>&1; pwd; id -u"];
    await rig.client.start({ call: "ours", argv, cwd: null, env: {}, timeoutMs: null, onMachine: true });
    expect((await rig.client.wait("ours")).tail).toMatch(
      /^\/usr\/bin\/setpriv\nls: .*No such file.*\n\/srv\/project\n1000\n$/,
    );
  });
});

describe.skipIf(noCages)("an image that is meant badly", () => {
  test("its links lead no write of ours outside", async () => {
    const who = whos[0] ?? "user";
    const rig = await KeeperRig.start(who);
    const [root, outside] = [rig.path("image"), rig.path("outside")];
    makeImageRoot(root, ["sh", "cat", "ls"]);
    mkdirSync(outside);
    writeFileSync(join(outside, "passwd"), "untouched");
    for (const name of ["etc", "srv", "tmp"]) rmSync(join(root, name), { recursive: true });
    for (const name of ["etc", "srv", "tmp", "home", "dev", "run", "var"]) symlinkSync(outside, join(root, name));
    giveTo(who, rig.base);
    await rig.client.open({ ...rig.order, image: { root, env: {} } });
    expect(await rig.said("pwd; cat /etc/passwd")).toContain("/srv/project\nagent:");
    expect(readdirSync(outside)).toEqual(["passwd"]);
    expect(await rig.said(`ls ${outside} 2>&1`)).toContain("No such file");
  });
});
