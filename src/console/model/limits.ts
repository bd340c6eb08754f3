import type { Run } from "../../protocol/wire/run.ts";

/** The limit that a run waits for: whose it is, and how many it lets work. */
export function toLimit({ policy, limit }: NonNullable<Run["waitsFor"]>): string {
  return `policy ${policy} (${limit === 0 ? "none" : limit} at once)`;
}
