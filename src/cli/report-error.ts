// Every error ends here: a sentence on standard error, or a document on standard output when JSON was asked for; and an
// exit code from the catalogue. A stack is shown only to whoever asks for it.

import os from "node:os";
import { exitCodeOf, exitCodes, isErrorCode, ProtocolError, toWireError, type WireError } from "../protocol/errors.ts";
import type { Cli } from "./cli.ts";
import { Interrupted } from "./interrupt.ts";
import { suggestFor } from "./suggest.ts";
import { toSafeLine } from "./text/safe-text.ts";
import { UsageError } from "./usage-error.ts";

export type Report = { readonly error: WireError; readonly exitCode: number };

/** Says what went wrong, and answers the exit code. */
export async function reportError(cli: Cli, thrown: unknown, json: boolean): Promise<number> {
  const reason = cli.interrupt.reasonOf(thrown);
  const { error, exitCode } = reason instanceof Interrupted ? toInterruption(reason) : await toReport(cli, thrown);
  if (cli.env["SIGNALBOX_DEBUG"] === "1" && thrown instanceof Error) cli.out.note(thrown.stack ?? thrown.message);
  // Who left gets no document: there is no answer, and a stream of them has ended properly.
  if (reason instanceof Interrupted) {
    cli.out.note(error.message);
    return exitCode;
  }
  if (json) {
    cli.out.json({ error });
    return exitCode;
  }
  const { red, dim } = cli.out.noteColors;
  cli.out.note(`${red("signalbox:")} ${toSafeLine(error.message)}`);
  for (const way of error.ways) cli.out.note(dim(`  - ${toSafeLine(way)}`));
  return exitCode;
}

/** The same for things that happen to one of several, where the others go on. */
export async function toReport(cli: Cli, thrown: unknown): Promise<Report> {
  if (thrown instanceof UsageError) {
    return { error: { code: "bad-input", message: thrown.message, data: {}, ways: [] }, exitCode: exitCodes.usage };
  }
  if (thrown instanceof ProtocolError) {
    const message = (await sentenceFor(cli, thrown)) ?? thrown.message;
    return { error: { ...thrown.toWire(), message }, exitCode: thrown.exitCode };
  }
  const code = codeOf(thrown);
  if (code !== undefined && thrown instanceof Error) {
    const known = isErrorCode(code);
    const error = { code, message: `${capital(thrown.message)}.`.replace(/\.\.$/, "."), data: {}, ways: [] };
    return { error, exitCode: known ? exitCodeOf(code) : exitCodes.broken };
  }
  const what = thrown instanceof Error ? thrown.message : String(thrown);
  const message = `${toWireError("internal").message} It says: ${what}. SIGNALBOX_DEBUG=1 shows where it happened.`;
  return { error: { code: "internal", message, data: {}, ways: [] }, exitCode: exitCodes.broken };
}

/** Leaving is no failure, but a script has to see that what it waited for did not happen. */
function toInterruption(reason: Interrupted): Report {
  const exitCode = 128 + os.constants.signals[reason.signalName];
  return { error: { code: "interrupted", message: reason.message, data: {}, ways: [] }, exitCode };
}

/** What can be said better here, where flags and commands are known, than in the daemon. */
async function sentenceFor(cli: Cli, error: ProtocolError): Promise<string | undefined> {
  switch (error.code) {
    case "daemon-not-running":
      return `No daemon runs for ${cli.home}. Start one with: signalbox up -d`;
    case "not-found":
      return await suggestFor(cli, error.data);
    case "bad-input": {
      const { where, why } = error.data;
      return typeof where === "string" && typeof why === "string"
        ? `${nameOf(where)} is not right: ${why}.`
        : undefined;
    }
    default:
      return undefined;
  }
}

const namesByField: Readonly<Record<string, string>> = {
  acceptance: "--accept",
  after: "--after",
  as: "--as",
  claim: "CLAIM",
  deadlineMs: "--deadline",
  dependsOn: "--after",
  description: "--description",
  except: "--except",
  files: "--file",
  hunks: "--hunk",
  key: "--key",
  message: "The message",
  name: "The name",
  plan: "--plan",
  scope: "--scope",
  priority: "--priority",
  "rules.allowedPaths": "--allow-path",
  "rules.allowedRunners": "--allow-runner",
  "rules.allowedEgress": "--egress",
  "rules.approvalRequired": "--approval-required",
  "rules.autoApprove": "--auto-approve",
  "rules.autoApproveMaxBytes": "--auto-approve-max-bytes",
  "rules.autoApproveBinary": "--auto-approve-binary",
  "rules.maxFileBytes": "--max-file-bytes",
  "rules.deniedBinary": "--deny-binary",
  "rules.claiming": "--claiming",
  "rules.deniedPaths": "--deny-path",
  "rules.deniedRunners": "--deny-runner",
  "rules.holdPatienceMs": "--hold-patience",
  "rules.maxBytes": "--max-bytes",
  "rules.maxConcurrent": "--max-concurrent",
  "rules.maxDepth": "--max-depth",
  "rules.maxTreeRuns": "--max-tree-runs",
  "rules.maxAgents": "--max-agents",
  "rules.maxRestarts": "--max-restarts",
  "rules.terminalClipboard": "--terminal-clipboard",
  "rules.terminalTitles": "--terminal-titles",
  "rules.terminalLinks": "--terminal-links",
  "rules.outputDays": "--output-days",
  "rules.outputBytes": "--output-bytes",
  "rules.recordingDays": "--recording-days",
  "rules.recordingBytes": "--recording-bytes",
  "rules.maxDisk": "--max-disk",
  "rules.maxMemory": "--max-memory",
  "rules.maxCpu": "--max-cpu",
  "rules.maxProcesses": "--max-processes",
  "rules.maxOpenFiles": "--max-open-files",
  "rules.maxOutputRate": "--max-output-rate",
  "rules.maxDayCostMicros": "--max-day-cost",
  "rules.maxFiles": "--max-files",
  "rules.maxRunCostMicros": "--max-run-cost",
  "rules.maxSwept": "--max-swept",
  "rules.reuse": "--reuse",
  "rules.stuckAfterMs": "--stuck-after",
  "rules.stuckAfterRepeats": "--stuck-after-repeats",
  "rules.stuckAfterErrors": "--stuck-after-errors",
  "rules.stuckAfterToolErrors": "--stuck-after-tool-errors",
  "rules.onSilent": "--on-silent",
  "rules.onLoop": "--on-loop",
  "rules.onErrors": "--on-errors",
  "rules.onToolErrors": "--on-tool-errors",
  "rules.escalateAfterMs": "--escalate-after",
  "rules.maxRetries": "--max-retries",
  "rules.retryWaitMs": "--retry-wait",
  "rules.maxTimeMs": "--max-time",
  "rules.maxTotalCostMicros": "--max-total-cost",
  "rules.maxTreeCostMicros": "--max-tree-cost",
  "scope.node": "--node",
  "scope.profile": "--profile",
  "scope.project": "--project",
  "scope.runner": "--runner",
  processes: "--process",
  landingTest: "--test",
  testTimeMs: "--test-time",
  landingMessage: "--message",
  landingBranch: "--branch",
  warm: "--warm",
  profile: "--profile",
  project: "--project",
  root: "PATH",
  run: "RUN",
  runner: "--runner",
  script: "--script",
  seen: "--seen",
  tag: "--tag",
  tags: "--tag",
  text: "The text",
  title: "TITLE",
  ttlMs: "--ttl",
  types: "--type",
  units: "--unit",
  waitMs: "--wait",
};

/** Fields of the contract, as the command line calls them: `units[0]` is `--unit`. */
function nameOf(where: string): string {
  const field = /^(?:rules|scope)\.\w+|^\w+/.exec(where)?.[0] ?? "";
  const name = namesByField[field];
  const rest = where.slice(field.length).replace(/^\[\d+\]/, "");
  return name === undefined ? where : rest === "" ? name : `${name} (${rest.replace(/^\./, "")})`;
}

function codeOf(thrown: unknown): string | undefined {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
