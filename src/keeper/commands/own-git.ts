// Git of ours on the agent's own repository. What the agent has written in there, or in its home, starts nothing of its own by it (EN57).

import type { CommandEnd, StartOp } from "../../protocol/keeper/keeper-wire.ts";
import { say } from "../os/say.ts";
import type { Commands } from "./commands.ts";

export const git = "/usr/bin/git";

// Whatever is said here counts above all files, and an empty helper forgets those before it.
const settings = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "submodule.recurse=false", "credential.helper="];

/** With these, filters, drivers and textconv have no file to go through, for we name no work of theirs: indexes and refs alone. */
export const gitWords: readonly string[] = [git, "--no-pager", ...settings.flatMap((each) => ["-c", each])];

export const gitEnv = {
  // What the agent has said for itself in its home is none of our concern.
  ...{ HOME: "/nonexistent", XDG_CONFIG_HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" },
  // A commit that is not there would be fetched, by whatever program the remote names. Older git does not know the first: it gets no further than the second.
  ...{ GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "" },
  ...{ GIT_ASKPASS: "/bin/false", GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "/bin/false" },
};

/** Runs it to its end. Whatever it has left behind all the same ends with it: nobody would stop that in an agent that lives on. */
export async function runOwnGit(
  commands: Pick<Commands, "start" | "wait" | "stop" | "forget">,
  start: StartOp,
): Promise<CommandEnd> {
  await commands.start(start, { early: true });
  const end = await commands.wait(start.call);
  // What does not go keeps nothing from starting.
  await commands.stop(start.call, 0).catch(say);
  await commands.forget(start.call);
  return end;
}
