import { describe, expect, test } from "vitest";
import { makeAgent, makeService } from "../../../test/support/wire-samples.ts";
import { protocolError } from "../../protocol/errors.ts";
import { tryCli } from "../testing/try-cli.ts";

const agent = makeAgent("a_1", {
  name: "shop-1",
  services: [makeService("web", { life: 7 }), makeService("db", { life: 1 })],
});

type Asked = { readonly services?: readonly string[]; readonly lives?: string; readonly life?: number };
const newest: Readonly<Record<string, number>> = { web: 7, db: 1 };

/** Every life says two lines, of the second of which it is known when. */
const said = ({ services = ["web", "db"], lives = "newest", life }: Asked): object => {
  const livesOf = (service: string): number[] => {
    const now = newest[service] ?? 0;
    if (lives === "all") return [3, 4, 5, 6, 7].filter((each) => each <= now);
    return [life ?? (lives === "previous" ? now - 1 : now)];
  };
  const all = services.flatMap((service) => livesOf(service).map((each) => ({ service, life: each })));
  return {
    ...{ agent: "a_1", name: "shop-1", more: false, untimed: [] },
    lines: all.flatMap((of) => [
      { ...of, atMs: null, text: `begins ${of.life}` },
      { ...of, atMs: 1_780_000_000_000, text: `${of.service} in ${of.life}` },
    ]),
    ends: all.map((of) => ({ ...of, offset: 9 })),
  };
};
const answers = { "agent.get": { agent }, "agent.logs": said };
const logs = async (...words: string[]) => {
  const { exitCode, stdout, stderr, calls } = await tryCli(["agent", "logs", "shop-1", ...words], answers);
  const asked = calls.find(([name]) => name === "agent.logs")?.[1];
  return { exitCode, stderr, asked, lines: stdout.split("\n").filter((line) => line !== "") };
};

describe("[SV10, SV15] what services said", () => {
  test("is asked for together, and each line has its service", async () => {
    const { lines, asked } = await logs();
    expect(asked).toEqual({ agent: "a_1", limit: 50 });
    expect(lines).toEqual(["web │ begins 7", "web │ web in 7", "db  │ begins 1", "db  │ db in 1"]);
  });

  test("--previous is the life before, of each that has one", async () => {
    const { asked, stderr } = await logs("--previous", "--tail", "1");
    expect(asked).toEqual({ agent: "a_1", services: ["web"], lives: "previous", limit: 1 });
    expect(stderr).toContain("db is in its first life");
  });

  test("--lives are all that are kept, each line with its life", async () => {
    const { lines, asked } = await logs("web", "--lives");
    expect(asked).toMatchObject({ services: ["web"], lives: "all" });
    expect(lines).toContain("web#3   │ web in 3");
    const { lines: asJson } = await logs("db", "--json");
    expect(asJson.map((line) => JSON.parse(line) as unknown)).toContainEqual({
      ...{ service: "db", life: 1, atMs: 1_780_000_000_000, text: "db in 1" },
    });
  });

  test("--find looks through all of them, and with --tail at their ends", async () => {
    expect((await logs("--find", "begins")).asked).toEqual({ agent: "a_1", text: "begins", limit: 5000 });
    const { asked, lines } = await logs("--find", "begins", "--tail", "9");
    expect(asked).toEqual({ agent: "a_1", limit: 9 });
    expect(lines).toEqual(["web │ begins 7", "db  │ begins 1"]);
  });

  test("--since and --until bound it, and --timestamps says when, where that is known", async () => {
    const bounds = ["--since", "2026-05-28T00:00:00Z", "--until", "2026-06-01T00:00:00Z"];
    const { asked, lines } = await logs("web", ...bounds, "-t");
    const [sinceMs, untilMs] = [Date.UTC(2026, 4, 28), Date.UTC(2026, 5, 1)];
    expect(asked).toEqual({ agent: "a_1", services: ["web"], sinceMs, untilMs, limit: 5000 });
    expect(lines).toEqual([`${"-".padEnd(24)} web │ begins 7`, "2026-05-28T20:26:40.000Z web │ web in 7"]);
  });

  test("-f of all of them goes on where each ended, and ends when their agent is removed", async () => {
    const gone = protocolError("not-found", { kind: "agent", id: "a_1" });
    const from: unknown[] = [];
    const following = (wish: { readonly service: string }): unknown => {
      from.push(wish);
      // Nothing more is said of one; the other hears of it.
      return wish.service === "web" ? new Promise(() => undefined) : gone;
    };
    const tried = await tryCli(["agent", "logs", "shop-1", "-f"], { ...answers, "service.output": following });
    expect(tried).toMatchObject({ exitCode: 0, stderr: "shop-1 was removed.\n" });
    expect(from).toMatchObject([
      { service: "web", life: 7, offset: 9, times: true },
      { service: "db", life: 1, offset: 9, times: true },
    ]);
  });

  test("-f shows what a life said last, also where it ended in the middle of a line, before the next life", async () => {
    const gone = protocolError("not-found", { kind: "agent", id: "a_1" });
    const part = (life: number, text: string, ended: boolean): object => {
      const base64 = Buffer.from(text).toString("base64");
      return { life, base64, offset: life === 7 ? 9 : 0, size: life === 7 ? 9 + text.length : text.length, ended };
    };
    const parts = [part(7, "no database", true), part(8, "again\n", false), gone];
    const reborn = { ...agent, services: [makeService("web", { life: 8 })] };
    const tried = await tryCli(["agent", "logs", "shop-1", "web", "-f", "--tail", "1"], {
      ...answers,
      "agent.get": () => ({ agent: parts.length === 3 ? agent : reborn }),
      "service.output": () => parts.shift(),
    });
    expect(tried.stdout.split("\n").slice(2)).toEqual(["web │ no database", "web │ again", ""]);
  });

  test.each([
    [["--previous", "--lives"]],
    [["web", "--life", "2", "--lives"]],
    [["--previous", "-f"]],
    [["--life", "2"]],
    [["-f", "--until", "5m"]],
    [["--since", "yesterday"]],
  ])("%j is a sentence, and nothing is shown", async (words) => {
    expect(await logs(...words)).toMatchObject({ exitCode: 2, lines: [] });
  });
});
