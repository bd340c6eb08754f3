// Choosing images, over real sockets: what people set, what a model may not, and what is shown.

import { describe, expect, test } from "vitest";
import { inFaceWorld } from "../support/faces/face-world.ts";
import { withModel } from "../support/faces/with-model.ts";

const script = "task: look around\nsteps:\n  - say: hello\n";
const image = { name: "docker.io/library/node:24" };

describe("the image of a project and of a run", () => {
  test("[IM1] is shown as it was chosen, and taken away again", () =>
    inFaceWorld(async ({ http, folder }) => {
      await http.call("project.add", { root: folder, name: "shop" });
      expect((await http.call("project.get", { project: "shop" })).project.image).toBeNull();
      await http.call("project.change", { project: "shop", image });
      expect((await http.call("project.get", { project: "shop" })).project.image).toEqual(image);
      const imageOf = async (more: object): Promise<unknown> => {
        const { run } = await http.call("run.submit", { project: "shop", script, ...more });
        return (await http.call("run.get", { run })).run.image;
      };
      expect(await imageOf({})).toEqual(image);
      expect(await imageOf({ image: { dockerfile: "box/Dockerfile" } })).toEqual({ dockerfile: "box/Dockerfile" });
      expect(await imageOf({ image: "none" })).toBeNull();
      expect(await imageOf({ noCage: true })).toBeNull();
      await expect(imageOf({ noCage: true, image })).rejects.toMatchObject({ code: "bad-input" });
      await http.call("project.change", { project: "shop", image: null });
      expect(await imageOf({})).toBeNull();
    }));

  test("[IM8] comes from the run's profile before its project, where the run does not say otherwise", () =>
    withModel(async ({ http, folder }, call) => {
      await http.call("project.add", { root: folder, name: "shop" });
      await http.call("project.change", { project: "shop", image });
      const old = { name: "docker.io/library/node:22" };
      const file = { dockerfile: "box/Dockerfile" };
      for (const [name, each] of Object.entries({ old, bare: "none" as const, built: file }))
        await http.call("profile.set", { name, settings: { image: each } });
      const imageOf = async (profile: string, more: object = {}): Promise<unknown> => {
        const { run } = await http.call("run.submit", { project: "shop", script, profile, ...more });
        return (await http.call("run.get", { run })).run.image;
      };
      expect([await imageOf("old"), await imageOf("bare"), await imageOf("built")]).toEqual([old, null, file]);
      expect(await imageOf("old", { image })).toEqual(image);
      expect(await imageOf("old", { noCage: true })).toBeNull();
      expect(await call("run_submit", { project: "shop", script, profile: "old" })).toBe("ok");
      expect(await call("run_submit", { project: "shop", script, profile: "built" })).toBe("forbidden");
      expect(await call("profile_set", { name: "mine", settings: { image: old } })).toBe("forbidden");
    }));

  const odd = [
    { name: "--privileged" },
    { name: "a b" },
    { name: "" },
    { dockerfile: "/etc/Dockerfile" },
    { dockerfile: "../Dockerfile" },
    { dockerfile: "a/./b" },
    { name: "a", dockerfile: "b" },
    {},
  ];

  test("[IM1] is nothing that podman or docker would take for an option, and no path out of the project", () =>
    inFaceWorld(async ({ http, folder }) => {
      await http.call("project.add", { root: folder, name: "shop" });
      for (const each of odd) {
        const changing = http.call("project.change", { project: "shop", image: each as typeof image });
        await expect(changing).rejects.toMatchObject({ code: "bad-input" });
      }
    }));

  test("is chosen by people: a model is refused", () =>
    withModel(async (world, call) => {
      expect(await call("project_add", { root: world.folder, name: "shop" })).toBe("ok");
      expect(await call("project_change", { project: "shop", image })).toBe("forbidden");
      expect(await call("run_submit", { project: "shop", script, image: "none" })).toBe("forbidden");
      expect(await call("run_submit", { project: "shop", script })).toBe("ok");
      expect(await call("image_list", {})).toBe("ok");
    }));
});
