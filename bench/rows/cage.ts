// What the cage costs: a command in it against one that is merely spawned.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { one, with_ } from "./one-by-one.ts";
import type { RowMaker } from "./row-maker.ts";

const plain = "a plain spawn";
const mayCostMs = 15;

export const cageCommand: RowMaker = {
  name: "cage-command",
  programs: [],
  make: async (peers, { filesMax }) => {
    const ground = await peers.workspaces(Math.min(1000, filesMax));
    const { agent, workspace } = await ground.make();
    let calls = 0;
    const ours = one("signalbox", async () => {
      const { exit } = await ground.command(workspace, `c${calls++}`, ["/bin/true"]);
      return exit === 0;
    });
    const spawned = async (): Promise<boolean> => (await once(spawn("/bin/true"), "close"))[0] === 0;
    return {
      name: "cage-command",
      title: "a command that does nothing, in the cage and journalled",
      ops: "commands",
      ours,
      others: [one(plain, spawned), with_(mayCostMs, one(plain, spawned))],
      comparisons: [
        { against: plain, measure: "p50" },
        { against: `${plain} and ${mayCostMs} ms`, measure: "p50", aim: { atMost: 1 } },
      ],
      leftOut: [],
      close: () => ground.remove(agent),
    };
  },
};
