import { type CommonFlags, defineCommand } from "../define-command.ts";
import { claimArgument, durationFlag, jsonFlag, parseTtl } from "../flags.ts";

export const renew = defineCommand<CommonFlags & { readonly ttl?: number }, [string]>({
  usage: "CLAIM [--ttl DURATION]",
  about: "All claims under the same name are renewed together. Refused as expired when it comes too late: claim again.",
  examples: [
    ["renew c_1a", "As long as before."],
    ["renew c_1a --ttl 10m", "For ten minutes from now."],
  ],
  parameters: {
    flags: {
      ttl: durationFlag("How long the lease lasts without renewal. Left out: as long as before.", parseTtl),
      json: jsonFlag,
    },
    positional: { kind: "tuple", parameters: [claimArgument] },
  },
  async run(cli, { ttl, json }, claim) {
    const answer = await cli.link.call("claim.renew", { claim, ...(ttl === undefined ? {} : { ttlMs: ttl }) });
    if (json) cli.out.json(answer);
    else cli.out.print(`${answer.claim} renewed (${answer.state})`);
  },
});
