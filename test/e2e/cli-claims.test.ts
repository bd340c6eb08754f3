import { afterAll, beforeAll, expect, test } from "vitest";
import { Sandbox } from "./cli-process.ts";

type Claim = { claim: string; state: string; fence: number | null; behind: { holder: string }[]; code: string | null };

const box = new Sandbox();
beforeAll(async () => {
  await box.ok("up", "-d", "--port", "0");
  await box.ok("project", "add", ".");
});
afterAll(() => box.close());

const claim = (...words: string[]): Promise<Claim> => box.json<Claim>("claim", ...words);

test("units are held, waited for, passed on and given back", async () => {
  const first = await claim("--unit", "file:src/a.ts", "--unit", "process:test", "--as", "alice");
  expect(first).toMatchObject({ state: "granted", behind: [], code: null });
  expect(first.fence).toBeGreaterThan(0);

  const waiting = box.start(["claim", "--unit", "dir:src", "--as", "bob", "--wait", "1m", "--ttl", "1m", "--json"]);
  const watch = box.start(["locks", "--watch", "--json"]);
  await watch.line((line) => line.includes('"holder":"bob"'));
  const locks = await box.ok("locks");
  expect(locks).toMatch(/file:src\/a\.ts +alice +live/);
  expect(locks).toMatch(/1 +bob +dir:src +alice/);
  expect(locks).toContain("alice\n└─ bob waits for dir:src");
  watch.signal("SIGINT");
  expect((await watch.ended).code).toBe(130);

  expect(await box.json("renew", first.claim, "--ttl", "5m")).toMatchObject({ claim: first.claim, state: "granted" });
  await box.ok("release", first.claim, "--unit", "file:src/a.ts");
  const { code, stdout } = await waiting.ended;
  expect(code).toBe(0);
  const second = JSON.parse(stdout) as Claim;
  expect(second).toMatchObject({ state: "granted" });
  expect(second.fence).toBeGreaterThan(first.fence ?? 0);
  await box.ok("release", first.claim);
  await box.ok("release", second.claim);
  expect(await box.ok("locks")).toBe("Nothing is held, and nobody waits.\n");
});

test("trying, waiting in vain and queueing are told apart by exit code and state", async () => {
  const held = await claim("--unit", "file:b", "--as", "alice");
  const tried = await box.run("claim", "--unit", "file:b", "--try", "--json");
  expect(tried.code).toBe(3);
  expect(JSON.parse(tried.stdout)).toMatchObject({ state: "refused", code: "busy" });
  const waited = await box.run("claim", "--unit", "file:b", "--wait", "1ms", "--json");
  expect(waited.code).toBe(6);
  expect(JSON.parse(waited.stdout)).toMatchObject({ state: "queued", behind: [{ holder: "alice" }] });
  const queued = await claim("--unit", "file:b", "--as", "carol", "--key", "k1");
  expect(queued).toMatchObject({ state: "queued", code: null });
  expect(await claim("--unit", "file:b", "--as", "carol", "--key", "k1")).toMatchObject({ claim: queued.claim });
  expect(await box.json("cancel", queued.claim)).toMatchObject({ state: "cancelled" });
  expect((await box.run("cancel", held.claim)).code).toBe(3);
  await box.ok("release", held.claim);
  expect((await box.run("renew", "c_zzzz")).code).toBe(4);
});

test("a deadlock is refused with its circle and the ways out", async () => {
  const a = await claim("--unit", "file:x", "--as", "ann");
  const b = await claim("--unit", "file:y", "--as", "ben");
  expect(await claim("--unit", "file:y", "--as", "ann")).toMatchObject({ state: "queued" });
  const { code, stdout } = await box.run("claim", "--unit", "file:x", "--as", "ben", "--json");
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ state: "refused", code: "deadlock" });
  const told = await box.run("claim", "--unit", "file:x", "--as", "ben");
  expect(told.stderr).toContain("Waiting would never end");
  await box.ok("release", a.claim);
  await box.ok("release", b.claim);
});

test.each(["file:../x", "file:/etc/passwd", "process:", "process:a b"])(
  "the unit %j is refused in a sentence",
  async (unit) => {
    const tried = await box.run("claim", "--unit", unit, "--json");
    expect(tried.code).toBe(2);
    expect(JSON.parse(tried.stdout)).toMatchObject({ claim: null, state: "refused", code: "bad-unit" });
  },
);

test("unknown ids and projects are not found", async () => {
  expect((await box.run("release", "c_zzzz")).code).toBe(4);
  expect((await box.run("claim", "--unit", "file:a", "--project", "nothing")).code).toBe(4);
  expect((await box.run("clear", "process:test")).code).toBe(3);
});
