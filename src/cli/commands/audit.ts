import { exitCodes } from "../../protocol/errors.ts";
import type { Finding, ReapReport } from "../../protocol/wire/audit.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import type { Output } from "../output.ts";
import { withProgress } from "../progress.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";

type Reaped = ReapReport["findings"][number];

export const audit = defineCommand<CommonFlags & { readonly reap: boolean }>({
  usage: "[--reap]",
  about: `Looks for what is left of runs and agents that are gone: keepers, processes, namespaces, containers, mounts, control
groups, ports, workspaces, files. Each is there with the proof that it is this daemon's; whatever lacks one is left alone, and so is
everything of other daemons. Nothing is changed without --reap. Where a person has to decide, it says what can be done. Ends with
0 when nothing is left, with 9 when something is. The daemon looks by itself every hour, and says in its log what it finds.`,
  examples: [
    ["audit", "See whether anything is left, and what would be done about it."],
    ["audit --reap", "Take it away, and see what was done."],
  ],
  parameters: { flags: { reap: flag("Takes away what can be taken away."), json: jsonFlag } },
  async run(cli, { reap, json }) {
    const { out } = cli;
    if (reap) {
      const report = await withProgress(out, "looking, and taking away", cli.link.call("audit.reap", {}));
      if (json) out.json(report);
      else showReaped(out, report.findings);
      return report.findings.every(({ done }) => done !== null) ? exitCodes.ok : exitCodes.needsSomebody;
    }
    const report = await withProgress(out, "looking for what has no owner", cli.link.call("audit", {}));
    if (json) out.json(report);
    else showFound(out, report.findings, report.atMs);
    return report.findings.length === 0 ? exitCodes.ok : exitCodes.needsSomebody;
  },
});

function showFound(out: Output, findings: readonly Finding[], nowMs: number): void {
  if (findings.length === 0) return out.print("Everything has an owner: nothing is left of anybody who is gone.");
  out.table(
    [
      { title: "KIND" },
      { title: "FOR", align: "right" },
      { title: "WHAT" },
      { title: "REAPING WOULD" },
      { title: "WHY" },
    ],
    findings.map(({ kind, what, sinceMs, why, would }) => [
      kind,
      sinceMs === null ? "-" : showDuration(Math.max(0, nowMs - sinceMs)),
      toSafeLine(what),
      would ?? out.colors.yellow("leave it to you"),
      toSafeLine(why),
    ]),
  );
  showAdvice(out, findings);
  if (findings.some(({ would }) => would !== null))
    out.note("Nothing was changed: signalbox audit --reap takes it away.");
}

function showReaped(out: Output, findings: readonly Reaped[]): void {
  if (findings.length === 0) return out.print("Nothing had to be done: everything has an owner.");
  out.table(
    [{ title: "KIND" }, { title: "WHAT" }, { title: "DONE" }],
    findings.map(({ kind, what, done, failed }) => [
      kind,
      toSafeLine(what),
      failed === null ? (done ?? "nothing: it is left to you") : toSafeLine(`it could not be done: ${failed}`),
    ]),
  );
  showAdvice(out, findings);
}

function showAdvice(out: Output, findings: readonly Finding[]): void {
  for (const { what, advice } of findings) if (advice !== null) out.note(`${toSafeLine(what)}: ${toSafeLine(advice)}`);
}
