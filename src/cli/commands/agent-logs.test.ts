import { describe, expect, test } from "vitest";
import { makeAgent, makeService } from "../../../test/support/wire-samples.ts";
import { tryCli } from "../testing/try-cli.ts";

const agent = makeAgent("a_1", {
  name: "shop-1",
  services: [makeService("web", { life: 7 }), makeService("db", { life: 1 })],
});

type Wish = { readonly service: string; readonly life?: number; readonly offset?: number };

/** Every life says a line of its own, and a long one before it; more than eight bytes come in parts. */
const output = ({ service, life = service === "web" ? 7 : 1, offset }: Wish): unknown => {
  const all = Buffer.from(`begins ${life}\n${service} in ${life}\n`);
  const bytes = offset === undefined ? all : all.subarray(offset, offset + 8);
  const at = offset ?? 0;
  return { life, text: bytes.toString(), base64: bytes.toString("base64"), offset: at, size: all.length, ended: true };
};
const answers = { "agent.get": { agent }, "service.output": output };
const logs = async (...words: string[]) => {
  const { exitCode, stdout, stderr } = await tryCli(["agent", "logs", "shop-1", ...words], answers);
  return { exitCode, stderr, lines: stdout.split("\n").filter((line) => line !== "") };
};

describe("[SV10] what services said in earlier lives", () => {
  test("--previous is the life before, of each that has one", async () => {
    const { lines, stderr } = await logs("--previous", "--tail", "1");
    expect(lines).toEqual(["web │ web in 6"]);
    expect(stderr).toContain("db is in its first life");
  });

  test("--lives are all that are kept, each line with its life", async () => {
    const { lines } = await logs("web", "--lives", "--tail", "1");
    expect(lines).toEqual([3, 4, 5, 6, 7].map((life) => `web#${life}   │ web in ${life}`));
    const { lines: asJson } = await logs("db", "--lives", "--json", "--tail", "1");
    expect(asJson.map((line) => JSON.parse(line) as unknown)).toEqual([{ service: "db", life: 1, text: "db in 1" }]);
  });

  test("--find looks through all of them, from their beginning on", async () => {
    expect((await logs("--lives", "--find", "begins")).lines).toHaveLength(6);
    expect((await logs("web", "--lives", "--find", "in 4")).lines).toEqual(["web#4   │ web in 4"]);
    expect((await logs("web", "--find", "begins")).lines).toEqual(["web │ begins 7"]);
  });

  test.each([
    [["--previous", "--lives"]],
    [["web", "--life", "2", "--lives"]],
    [["--previous", "-f"]],
    [["--life", "2"]],
  ])("%j is a sentence, and nothing is shown", async (words) => {
    expect(await logs(...words)).toMatchObject({ exitCode: 2, lines: [] });
  });
});
