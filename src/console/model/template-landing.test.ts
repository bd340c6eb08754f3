import { expect, test } from "vitest";
import { parseScript } from "../../protocol/script.ts";
import { toTemplateCommand, toTemplateScript, whyNotLand } from "./template-landing.ts";

const target = { project: "my shop", path: "signalbox.yaml", hash: "0123456789ab" };

test("a template lands by a script that writes its file, and only in the place of what was read", () => {
  const text = "template: it's\nEND\nservices: {}\n";
  const script = parseScript(toTemplateScript(target, text));
  expect(script).toMatchObject({
    ok: true,
    value: {
      task: "Change the template signalbox.yaml",
      plan: ["file:signalbox.yaml"],
      steps: [{ do: "write", path: "signalbox.yaml", content: text, seen: "0123456789ab" }],
    },
  });
  const lines = toTemplateCommand(target, text).split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe("signalbox run --project 'my shop' --script - <<'END'");
  expect(lines[2]).toBe("END");
});

test("a new one is written only where there is none", () => {
  expect(toTemplateScript({ ...target, hash: null }, "x")).toContain('"seen":"none"');
});

test.each([
  [{}, null],
  [{ isLive: false }, "the daemon is away"],
  [{ isRight: false }, "it has to be right first"],
  [{ isRight: null }, "it is being looked at"],
  [{ isChanged: false }, "nothing is changed"],
  [{ isTaken: true }, "shop has a template already: change that one"],
  [{ project: "" }, "there is no project to put it in"],
])("%j: %s", (seen, why) => {
  const all = { isChanged: true, isRight: true, isLive: true, project: "shop", isTaken: false };
  expect(whyNotLand({ ...all, ...seen })).toBe(why);
});
