// Templates over the real socket: listed, looked at, and agents made of them with values of one's own.

import { expect, test } from "vitest";
import { readTemplate } from "../../src/protocol/template/read-template.ts";
import { FaceNode } from "../support/faces/face-node.ts";
import { inFaceWorld } from "../support/faces/face-world.ts";

const template = `template: shop
env:
  LOG_LEVEL: info
  SESSION_KEY: { generate: hex }
services:
  web: { command: sleep 1000, ports: [http] }
  queue: { command: sleep 1000, depends_on: [web] }
`;

test("templates are listed: those of projects first, then those that come along, all of them right", () =>
  inFaceWorld(async (world) => {
    const { project } = await world.http.call("project.add", { root: world.folder, name: "shop" });
    await new FaceNode(world).commit({ "signalbox.yaml": template });
    const { templates } = await world.lines.call("template.list", {});
    const hash = world.mainline.nameOfBlob(Buffer.from(template)).slice(0, 12);
    const file = { path: "signalbox.yaml", hash };
    expect(templates[0]).toEqual({ name: "shop", about: "signalbox.yaml of shop", project, text: template, file });
    expect(templates.slice(1).map(({ name }) => name)).toContain("node-postgres");
    const wrong = templates.filter(({ text, name }) => !readTemplate(text, { file: name }).ok);
    expect(wrong).toEqual([]);
  }));

test("what is wrong with a template is said with its line; what is right says what an agent would have", () =>
  inFaceWorld(async ({ http }) => {
    const bad = await http.call("template.check", { template: template.replace("[web]", "[wep]") });
    expect(bad).toMatchObject({ ok: false, name: null, problems: [{ line: 7, path: "services.queue.depends_on[0]" }] });
    expect(bad.problems[0]?.message).toContain("web");
    expect(await http.call("template.check", { template })).toMatchObject({
      ok: true,
      name: "shop",
      services: [
        { name: "web", ports: ["http"], needs: [] },
        { name: "queue", ports: [], needs: ["web"] },
      ],
      values: [
        { name: "LOG_LEVEL", value: "info" },
        { name: "SESSION_KEY", value: null },
      ],
    });
  }));

test("an agent gets the values that were given for it, and a name that the template lacks is refused at its field", () =>
  inFaceWorld(async ({ http, folder }) => {
    await http.call("project.add", { root: folder, name: "shop" });
    const refused = http.call("agent.create", { project: "shop", template, values: { LOGLEVEL: "debug" } });
    await expect(refused).rejects.toMatchObject({ code: "bad-input", data: { where: "values.LOGLEVEL" } });
    await http.call("agent.create", { project: "shop", template, values: { LOG_LEVEL: "debug" } });
    const { events } = await http.call("events.read", { types: ["agent.created"] });
    expect(events).toMatchObject([{ spec: { env: { LOG_LEVEL: "debug", SESSION_KEY: { generate: "hex" } } } }]);
  }));
