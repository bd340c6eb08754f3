import { describe, expect, test } from "vitest";
import { CoreWorld, toProject } from "../../../test/support/core-world.ts";
import { imageOf } from "./image.ts";

const node = { name: "docker.io/library/node:24" };
const built = { dockerfile: "Dockerfile" };

describe("the image of a run", () => {
  test("[IM1] is its own word, else its project's, else none", () => {
    const world = new CoreWorld();
    const project = world.id(toProject("p"));
    const image = (run: string) => imageOf(world.state, world.run(run));
    const [plain, own, none] = [world.submit(), world.submit({ image: built }), world.submit({ image: "none" })];
    expect([plain, own, none].map(image)).toEqual([null, built, null]);
    world.ok({ type: "project.change", project, image: node });
    expect([plain, own, none].map(image)).toEqual([node, built, null]);
    world.ok({ type: "project.change", project, landingTest: ["true"] });
    expect(image(plain)).toEqual(node);
    world.ok({ type: "project.change", project, image: null });
    expect(image(plain)).toBeNull();
  });

  test("[IM1] is that of its root for a sub-run, and a retry keeps it", () => {
    const world = new CoreWorld();
    world.id(toProject("p"));
    const root = world.started({ image: node });
    const sub = world.submit({ parent: root, sub: true });
    expect(imageOf(world.state, world.run(sub))).toEqual(node);
    world.ok({ type: "run.terminate", select: { by: "run", run: root }, because: "enough" });
    world.ok({ type: "run.retry", run: root });
    expect(world.last.find((event) => event.type === "run.submitted")).toMatchObject({ image: node, retryOf: root });
  });
});
