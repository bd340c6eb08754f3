import { type CommonFlags, defineCommand } from "../define-command.ts";
import { claimArgument, jsonFlag, unitsFlag } from "../flags.ts";

export const release = defineCommand<CommonFlags & { readonly unit: readonly string[] }, [string]>({
  usage: "CLAIM [--unit UNIT]…",
  about: "A claim that still waits is cancelled.",
  examples: [
    ["release c_1a", "Give everything back."],
    ["release c_1a --unit file:src/a.ts", "Give one unit back and keep the rest."],
  ],
  parameters: {
    flags: { unit: { ...unitsFlag, default: [], brief: "Only this unit." }, json: jsonFlag },
    aliases: { u: "unit" },
    positional: { kind: "tuple", parameters: [claimArgument] },
  },
  async run(cli, { unit, json }, claim) {
    const units = unit.length === 0 ? null : [...unit];
    await cli.link.call("claim.release", { claim, units });
    if (json) cli.out.json({ claim, released: units ?? "all" });
    else cli.out.print(`${claim} released${units === null ? "" : `: ${units.join(", ")}`}`);
  },
});
