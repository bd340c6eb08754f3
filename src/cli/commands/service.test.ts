import { describe, expect, test } from "vitest";
import { makeAgent, makeService } from "../../../test/support/wire-samples.ts";
import { tryCli } from "../testing/try-cli.ts";

const services = [makeService("web-1", { group: "web" }), makeService("web-2", { group: "web" }), makeService("db")];
const agent = makeAgent("a_1", { name: "shop-1", services });
const other = makeAgent("a_2", { name: "shop-2", services: [makeService("queue")] });
const answers = {
  "agent.get": { agent },
  "agent.list": { agents: [agent, other] },
  "service.restart": { agent },
};

const rows = (stdout: string): string[] =>
  stdout
    .split("\n")
    .slice(1)
    .filter((line) => line !== "");

describe("services", () => {
  test("[AG9] are listed of all agents, or of one", async () => {
    const all = await tryCli(["service", "list"], answers);
    expect(rows(all.stdout).map((line) => line.split(/ +/).slice(0, 2).join(" "))).toEqual([
      ...["shop-1 web-1", "shop-1 web-2", "shop-1 db"],
      "shop-2 queue",
    ]);
    const one = await tryCli(["service", "ls", "shop-1", "--json"], answers);
    expect(JSON.parse(one.stdout)).toMatchObject({
      services: [{ agent: "shop-1", name: "web-1" }, {}, { name: "db" }],
    });
  });

  test("are shown by name, with all instances; one that is not there is said to be none", async () => {
    expect(rows((await tryCli(["service", "show", "shop-1", "web"], answers)).stdout)).toHaveLength(2);
    expect(rows((await tryCli(["service", "inspect", "shop-1", "db"], answers)).stdout)).toHaveLength(1);
    const none = await tryCli(["service", "show", "shop-1", "nothing"], answers);
    expect(none).toMatchObject({ exitCode: 4, stdout: "" });
    expect(none.stderr).toContain("shop-1/nothing");
  });

  test("of which there are several are all shown when one asks for something", async () => {
    expect(rows((await tryCli(["service", "restart", "shop-1", "web"], answers)).stdout)).toHaveLength(2);
  });
});
