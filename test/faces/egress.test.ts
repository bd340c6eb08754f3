// Whom runs may reach, over real sockets: what people set, what a model may not, and what is shown.

import { describe, expect, test } from "vitest";
import { inFaceWorld } from "../support/faces/face-world.ts";
import { withModel } from "../support/faces/with-model.ts";

const script = "task: look around\nsteps:\n  - say: hello\n";

describe("whom a project's runs may reach", () => {
  test("[EG1] is the list of package registries, until a person says otherwise", () =>
    inFaceWorld(async ({ http, folder }) => {
      await http.call("project.add", { root: folder, name: "shop" });
      const first = (await http.call("project.get", { project: "shop" })).project.egress;
      expect(first).toEqual({ kind: "list", allow: ["developer"] });
      const egress = {
        kind: "list",
        allow: ["developer", "*.example.org:8443", "10.0.0.7:4873", "[fd00::1]"],
      } as const;
      await http.call("project.change", { project: "shop", egress: { ...egress, allow: [...egress.allow] } });
      expect((await http.call("project.get", { project: "shop" })).project.egress).toEqual(egress);
    }));

  test.each([
    "*",
    "*.org",
    "localhost",
    "develper",
    "https://example.org",
    "example.org/x",
    "1.2.3.4.5",
    "256.1.1.1",
    "::1",
    "a b.org",
    "example.org:port",
    "",
  ])("[EG2] %j is no host", (host) =>
    inFaceWorld(async ({ http, folder }) => {
      const egress = { kind: "list", allow: [host] } as const;
      const adding = http.call("project.add", { root: folder, egress: { ...egress, allow: [host] } });
      await expect(adding).rejects.toMatchObject({ code: "bad-input" });
    }),
  );
});

describe("a model", () => {
  test("[EG4] gives nobody more of the network, and itself none; it may ask for less", () =>
    withModel(async (world, call) => {
      const open = { kind: "open", allow: [] };
      expect(await call("project_add", { root: world.folder, egress: open })).toBe("forbidden");
      expect(await call("project_add", { root: world.folder, name: "shop" })).toBe("ok");
      expect(await call("project_change", { project: "shop", egress: open })).toBe("forbidden");
      expect(await call("run_submit", { project: "shop", script, egress: "open" })).toBe("forbidden");
      expect(await call("run_submit", { project: "shop", script, egress: "none" })).toBe("ok");
      expect(await call("policy_set", { name: "mine", rules: { allowedEgress: "open" } })).toBe("forbidden");
      await world.http.call("policy.set", { name: "careful", rules: { allowedEgress: "list" } });
      expect(await call("policy_set", { name: "careful", rules: { maxFiles: 1 } })).toBe("forbidden");
      expect(await call("policy_remove", { name: "careful" })).toBe("forbidden");
    }));

  test("[SC20] has policies of its own, and people's stand above them", () =>
    withModel(async (world, call) => {
      const rules = { maxFiles: 100 };
      await world.http.call("policy.set", { name: "careful", rules: { maxFiles: 1 } });
      expect(await call("policy_set", { name: "mine", rules })).toBe("forbidden");
      expect(await call("policy_set", { name: "careful", priority: -1, rules })).toBe("forbidden");
      expect(await call("policy_remove", { name: "careful" })).toBe("forbidden");
      expect(await call("policy_set", { name: "mine", priority: -1, rules })).toBe("ok");
      expect(await call("policy_remove", { name: "mine" })).toBe("ok");
    }));

  test("[SC20] lets no result land unseen, also not as an exception to what people have set", () =>
    withModel(async (world, call) => {
      const own = { name: "mine", priority: -1 };
      await world.http.call("policy.set", { name: "careful", priority: -5, rules: { approvalRequired: true } });
      expect(await call("policy_set", { ...own, rules: { autoApprove: ["**"] } })).toBe("forbidden");
      expect(await call("policy_set", { ...own, rules: { approvalRequired: false } })).toBe("forbidden");
      expect(await call("policy_set", { name: "careful", priority: -1, rules: { maxFiles: 1 } })).toBe("forbidden");
      expect(await call("policy_remove", { name: "careful" })).toBe("forbidden");
      expect(await call("policy_set", { ...own, rules: { approvalRequired: true } })).toBe("ok");
    }));

  test("[EG4, IM8] neither retries nor directs what a person gave more than others", () =>
    withModel(async (world, call) => {
      await world.http.call("project.add", { root: world.folder, name: "shop" });
      const built = { image: { dockerfile: "box/Dockerfile" } } as const;
      for (const more of [{ egress: "open" }, { noCage: true }, built] as const) {
        const { run } = await world.http.call("run.submit", { project: "shop", script, ...more });
        expect(await call("run_answer", { run, text: "yes" })).toBe("forbidden");
        expect(await call("run_steer", { run, message: "rather this" })).toBe("forbidden");
        await world.http.call("run.stop", { run });
        expect(await call("run_retry", { run })).toBe("forbidden");
        expect(await call("run_continue", { run, message: "and this" })).toBe("forbidden");
        expect((await world.http.call("run.retry", { run })).run).toMatch(/^r_/);
      }
    }));
});

describe("a run", () => {
  test("[EG1, EG9] shows what it may, who allows no more, and whom it reached", () =>
    inFaceWorld(async ({ http, folder, submit }) => {
      await http.call("project.add", { root: folder, name: "shop" });
      await http.call("policy.set", { name: "careful", rules: { allowedEgress: "none" } });
      const asking = http.call("run.submit", { project: "shop", script, egress: "list" });
      await expect(asking).rejects.toMatchObject({ code: "policy-denied" });
      const { run } = await http.call("run.submit", { project: "shop", script });
      expect((await http.call("run.get", { run })).run).toMatchObject({ egress: "none", egressPolicy: "careful" });
      const target = { run, host: "example.org", port: 443 };
      await submit({ type: "egress.try", ...target, address: null, refused: "no-network" });
      const { egress, hosts } = await http.call("run.egress", { run });
      expect(egress).toEqual({ kind: "none", allow: ["developer"], policy: "careful" });
      expect(hosts).toMatchObject([{ host: "example.org", port: 443, refusals: 1, refused: "no-network" }]);
    }));

  test("a run without a cage, and a sub-run, have no say in it", () =>
    inFaceWorld(async ({ http, folder }) => {
      await http.call("project.add", { root: folder, name: "shop" });
      const asking = (more: object) => http.call("run.submit", { project: "shop", script, egress: "list", ...more });
      await expect(asking({ noCage: true })).rejects.toMatchObject({ code: "bad-input" });
      await expect(asking({ sub: true, parent: "r_1" })).rejects.toMatchObject({ code: "bad-input" });
      const { run } = await http.call("run.submit", { project: "shop", script, noCage: true });
      expect((await http.call("run.get", { run })).run).toMatchObject({ egress: "open", caged: false });
    }));
});
