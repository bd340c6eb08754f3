// `npm run torture [-- NAME [options]]`: real power cuts, real kills. Slow, and not part of `npm test`; without a name all
// of them run, one after the other.

import { buildProgram } from "../../scripts/build-program.ts";
import { badNeighbours } from "./bad-neighbours.ts";
import { daemonKills } from "./daemon-kills.ts";
import { hotFiles } from "./hot-files.ts";
import { largeRepository } from "./large-repository.ts";
import { liveWorkspaces } from "./live-workspaces.ts";
import { manyAgents } from "./many-agents.ts";
import { pidReuse } from "./pid-reuse.ts";
import { powerCut } from "./power-cut.ts";
import { stacks } from "./stacks.ts";
import { symlinkSwaps } from "./symlink-swaps.ts";

/** Each takes its own options and answers whether everything held. */
const tortures: Readonly<Record<string, (args: readonly string[]) => Promise<boolean>>> = {
  "power-cut": powerCut,
  "hot-files": hotFiles,
  "many-agents": manyAgents,
  "symlink-swaps": symlinkSwaps,
  "live-workspaces": liveWorkspaces,
  "large-repository": largeRepository,
  "pid-reuse": pidReuse,
  stacks,
  "daemon-kills": daemonKills,
  "bad-neighbours": badNeighbours,
};

process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === "--help" || name === "-h") {
    console.log(
      `npm run torture [-- NAME [options]]: without a name, all of them. There are: ${Object.keys(tortures).join(", ")}`,
    );
    return 0;
  }
  const chosen = name === undefined ? Object.values(tortures) : [tortures[name]];
  await buildProgram();
  for (const torture of chosen) {
    if (torture === undefined) {
      console.error(`there is no torture "${name}"; there are: ${Object.keys(tortures).join(", ")}`);
      return 2;
    }
    if (!(await torture(args))) return 1;
  }
  return 0;
}
