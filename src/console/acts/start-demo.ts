import type { Client } from "../../client/client.ts";
import { goTo } from "../shell/address.ts";
import type { Toasts } from "./toasts.ts";

export const demoCommand = "signalbox demo --stay";

/** Starts the demo; what happens is seen at once, because everything on the page is live. */
export async function startDemo({
  client,
  toasts,
}: {
  readonly client: Client;
  readonly toasts: Toasts;
}): Promise<void> {
  const { folder, runs, staying } = await client.call("demo.start", { stay: true });
  toasts.did({
    tone: "go",
    title: `${runs.length + staying.length} agents are at work`,
    detail: `On a sample repository in ${folder}. Five land by themselves, one waits for your review, one works on, and one waits for what that one holds.`,
    command: demoCommand,
  });
  goTo({ place: "overview", run: null, find: "", tone: null });
}
