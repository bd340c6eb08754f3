import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { readCommand } from "./process-usage.ts";

test("[AU30] what waits to be told what to become is said to start, and not how that is done", async () => {
  const commandOf = async (script: string): Promise<string> => {
    const child = spawn("sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "spawn");
    return readCommand({ pid: child.pid ?? 0, name: "sh" });
  };
  expect(await commandOf('read -r _signalbox_line || exit 125; eval "$_signalbox_line"')).toBe("(starting)");
  expect(await commandOf("read -r other; :")).toBe("sh -c read -r other; :");
});
