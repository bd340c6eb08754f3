import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AgentWorld, lone, service } from "../../../test/support/agent-world.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { Fault } from "../../base/fault.ts";
import type { ServiceSpec } from "../../core/agent/agent-spec.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import type { Mainline } from "../../ports/mainline.ts";
import type { KeeperOp, SystemOrder } from "../../protocol/keeper/keeper-wire.ts";
import type { ImageUse, ServiceImage } from "../images/images.ts";
import { pinsIn } from "../workspace/image-pins.ts";
import { ServiceSystems } from "./service-systems.ts";

const postgres: ServiceImage = {
  ...{ id: "f".repeat(64), root: "/images/f/root", env: { PGDATA: "/data" }, workdir: "/srv" },
  ...{ entrypoint: ["entry.sh"], command: ["postgres"], volumes: ["/data"] },
};
const image = { name: "postgres:16" };

/** One agent, with what its keeper and the images are asked. */
class Rig {
  readonly folder = makeTempFolder();
  readonly world = new AgentWorld();
  readonly uses: ImageUse[] = [];
  readonly asked: KeeperOp[] = [];
  readonly agent: Agent;
  readonly systems: ServiceSystems;
  refusal: Fault | undefined;

  constructor(services: readonly ServiceSpec[], found: Partial<ServiceImage> = {}) {
    this.agent = this.world.agent(this.world.create(services));
    const serviceFor = async (_: unknown, use: ImageUse): Promise<ServiceImage> => {
      this.uses.push(use);
      return { ...postgres, ...found };
    };
    const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    this.systems = new ServiceSystems({ images: { serviceFor }, owner });
  }

  get place(): Parameters<ServiceSystems["getAll"]>[1] {
    const request = async (op: KeeperOp): Promise<unknown> => {
      this.asked.push(op);
      if (this.refusal !== undefined) throw this.refusal;
      return {};
    };
    const keeper = { request, close: () => undefined };
    const waysEnv = { HTTP_PROXY: "http://127.0.0.1:1" };
    return { folder: this.folder, mainline: {} as Mainline, commit: "c".repeat(40), waysEnv, keeper };
  }

  /** What its keeper was told last. */
  async told(name = "db"): Promise<SystemOrder | undefined> {
    await this.systems.makeReady(this.agent, name, this.place);
    const last = this.asked.at(-1);
    return last?.op === "system" ? last.system : undefined;
  }

  async words(name = "db"): Promise<readonly string[] | undefined> {
    const own = await this.systems.makeReady(this.agent, name, this.place);
    return own?.argv((text) => text.replace("${self.port}", "5"));
  }
}

const db = (more: Partial<ServiceSpec> = {}): ServiceSpec => service("db", { image, argv: [], ports: [], ...more });

describe("the system of a service", () => {
  test("[SV60] is made where it has an image of its own, with the way out of its agent", async () => {
    const rig = new Rig([db(), lone]);
    expect(await rig.systems.makeReady(rig.agent, "web", rig.place)).toBeNull();
    expect(rig.asked).toEqual([]);
    expect(await rig.told()).toEqual({
      ...{ root: "/images/f/root", workdir: "/srv", workspace: false },
      env: { PGDATA: "/data", HTTP_PROXY: "http://127.0.0.1:1" },
      data: [{ inside: "/data", outside: join(rig.folder, "services/db/data/data") }],
    });
    // Whoever the folders belong to gets to them.
    for (const path of ["services", "services/db", "services/db/data"])
      expect(statSync(join(rig.folder, path)).mode & 0o111).toBe(0o111);
  });

  test.each<[string, Partial<ServiceSpec>, Partial<ServiceImage>, readonly string[]]>([
    ["what the image says", {}, {}, ["entry.sh", "postgres"]],
    ["the template's command after the entry point", { argv: ["run", "${self.port}"] }, {}, ["entry.sh", "run", "5"]],
    ["another entry point, without the image's command", { entrypoint: ["a", "${self.port}"] }, {}, ["a", "5"]],
    ["the command alone", { entrypoint: [], argv: ["x"] }, {}, ["x"]],
    ["what only looks like ours in the image", {}, { command: ["${self.port}"] }, ["entry.sh", "${self.port}"]],
  ])("[SV61] starts %s", async (_, said, found, words) => {
    expect(await new Rig([db(said)], found).words()).toEqual(words);
  });

  test("[SV65] is refused with a sentence where nothing says what to start", async () => {
    await expect(new Rig([db()], { entrypoint: [], command: [] }).words()).rejects.toMatchObject({
      code: "image-unfit",
      message: expect.stringContaining("give the service db a command") as string,
    });
  });

  test("[SV62] has the folders of the template, and of the image those that are apart from all others", async () => {
    const volumes = ["/data/", "/data/deep", "/var/../srv//x", "/", "/proc/x", "/etc", "/var/log/db/inner"];
    const order = await new Rig([db({ data: ["/var/log/db"] })], { volumes }).told();
    expect(order?.data.map(({ inside }) => inside)).toEqual(["/var/log/db", "/data", "/srv/x"]);
    expect(new Set(order?.data.map(({ outside }) => outside)).size).toBe(3);
  });

  test("[SV62] is one of each instance, on one image", async () => {
    const rig = new Rig([db({ instances: 2 })]);
    const [one, two] = [await rig.told("db.1"), await rig.told("db.2")];
    expect(one?.data[0]?.outside).not.toBe(two?.data[0]?.outside);
    expect(new Set(rig.uses.map(({ pin }) => pin)).size).toBe(1);
  });

  test("[SV64] needs its image as long as the agent's template names it", async () => {
    const rig = new Rig([db(), lone]);
    const gone = join(rig.folder, "services/old");
    mkdirSync(join(gone, "data"), { recursive: true });
    writeFileSync(join(gone, "image.json"), "{}");
    await rig.systems.getAll(rig.agent, rig.place);
    expect(rig.uses.map(({ pin }) => pin)).toEqual([join(rig.folder, "services/db/image.json")]);
    expect(existsSync(join(gone, "image.json"))).toBe(false);
    // Nothing that an agent wrote is lost.
    expect(existsSync(join(gone, "data"))).toBe(true);
    expect(await pinsIn(rig.folder)).toContain(join(rig.folder, "services/db/image.json"));
    expect(await pinsIn("/nowhere")).toEqual(["/nowhere/image.json"]);
  });

  test("[SV65] a keeper of an earlier release, and one that will not, are told in a sentence", async () => {
    const rig = new Rig([db()]);
    rig.refusal = new Fault("bad-request", { retry: "never", message: 'there is no request "system"' });
    await expect(rig.told()).rejects.toMatchObject({
      code: "image-unfit",
      message: expect.stringContaining(`signalbox agent restart ${rig.agent.name}`) as string,
    });
    rig.refusal = new Fault("bad-request", { retry: "never", message: "/srv cannot be a folder that stays" });
    await expect(rig.told()).rejects.toMatchObject({ code: "image-unfit", message: /^\/srv cannot/ });
    rig.refusal = new Fault("keeper-gone", { retry: "later", message: "it is gone" });
    await expect(rig.told()).rejects.toMatchObject({ code: "keeper-gone" });
  });
});
