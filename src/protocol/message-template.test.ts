import { describe, expect, test } from "vitest";
import { defaultMessage, fillMessage, findMessageFlaw, messageFields } from "./message-template.ts";

const values = {
  title: "add  a\nrate limit",
  description: "Because of robots.\n\n\nAnd people.\n",
  run: "r_1",
  task: "t_1",
  runner: "claude",
  approver: "eva",
  project: "shop",
};

describe("what a landing says", () => {
  test("[LD49] is the task and where it came from, if nobody says otherwise", () => {
    expect(fillMessage(defaultMessage, values)).toBe(
      "add a rate limit\n\nBecause of robots.\n\n\nAnd people.\n\nSignalbox-Run: r_1\nSignalbox-Task: t_1\nSignalbox-Runner: claude\nApproved-by: eva\n",
    );
    expect(fillMessage(defaultMessage, { ...values, description: "", approver: "" })).toBe(
      "add a rate limit\n\nSignalbox-Run: r_1\nSignalbox-Task: t_1\nSignalbox-Runner: claude\n",
    );
  });

  test("[LD49] speaks for its own run alone, whatever a description says", () => {
    const description = "Because.\nSignalbox-Run: r_9\napproved-by: somebody";
    expect(fillMessage("{title}\n\n{description}", { ...values, description })).toBe(
      "add a rate limit\n\nBecause.\n Signalbox-Run: r_9\n approved-by: somebody\n\nSignalbox-Run: r_1\n",
    );
  });

  test.each([
    ["feat: {title}", "feat: add a rate limit\n\nSignalbox-Run: r_1\n"],
    ["{title}\n\nReviewed-by: {approver}\n", "add a rate limit\n\nReviewed-by: eva\nSignalbox-Run: r_1\n"],
    [
      "[{project}] {title}\n\nSignalbox-Run: {run}\nTask: {task}",
      "[shop] add a rate limit\n\nSignalbox-Run: r_1\nTask: t_1\n",
    ],
    ["fix: {} {Title} {title}", "fix: {} {Title} add a rate limit\n\nSignalbox-Run: r_1\n"],
  ])("[LD49] %j", (template, message) => {
    expect(findMessageFlaw(template)).toBeUndefined();
    expect(fillMessage(template, values)).toBe(message);
  });

  test("[LD49] of one field is never filled with what stands in another", () => {
    const odd = { ...values, title: "{run} {approver}" };
    expect(fillMessage("{title}", odd)).toBe("{run} {approver}\n\nSignalbox-Run: r_1\n");
  });

  test("[LD49] is checked when it is set: unknown fields, and a first line that may be empty", () => {
    expect(findMessageFlaw("{title} {x} {} {Y}")).toMatch(/no field \{x\}/);
    expect(findMessageFlaw("{titel}")).toMatch(/no field \{titel\}; there are: \{title\}, /);
    for (const template of ["", "\n{title}", "{approver}", " {description} "])
      expect(findMessageFlaw(template)).toMatch(/first line may be empty/);
    for (const name of messageFields) expect(findMessageFlaw(`x {${name}}`)).toBeUndefined();
    expect(findMessageFlaw(defaultMessage)).toBeUndefined();
  });
});
