import { stuckActs } from "../../protocol/stuck-acts.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { durationFlag, egressFlag, jsonFlag, priorityFlag, projectFlag, several, textFlag } from "../flags.ts";
import { parseAmount, parseCount, parseDollarAmount, parseNonEmpty, parseSize } from "../parse-args.ts";
import { type PolicyFlags, readPolicyFile, toPolicy } from "../policy-from-flags.ts";
import { resolveProject } from "../resolve-project.ts";
import { parseDuration } from "../text/duration.ts";
import { toFieldLines } from "../view/fields-view.ts";
import { toPolicyFields } from "../view/run-view.ts";

type Flags = CommonFlags & PolicyFlags & { readonly file?: string };

const dollars = { kind: "parsed", parse: parseDollarAmount, optional: true, placeholder: "DOLLARS" } as const;
const size = { kind: "parsed", parse: parseSize, optional: true, placeholder: "SIZE" } as const;
const count = { kind: "parsed", parse: parseCount, optional: true, placeholder: "N" } as const;
const act = { kind: "enum", values: stuckActs, optional: true } as const;
const durationOrForever = {
  kind: "parsed",
  parse: (text: string) => (text === "forever" ? text : parseDuration(text)),
  optional: true,
  placeholder: "DURATION",
} as const;

const passing = { kind: "enum", values: ["allow", "deny"], optional: true } as const;

export const policySet = defineCommand<Flags, [string]>({
  usage: "NAME [--file FILE] [flags]",
  about: `A file holds the policy as YAML or JSON: priority, enabled, scope (project, profile, runner, node) and rules
(maxConcurrent, maxFiles, maxBytes, maxDisk, maxMemory, maxCpu, maxProcesses, maxOpenFiles, maxOutputRate, maxTimeMs,
allowedRunners, deniedRunners, allowedPaths, deniedPaths, approvalRequired, autoApprove, autoApproveMaxBytes,
autoApproveBinary, maxFileBytes, deniedBinary, claiming, holdPatienceMs, maxSwept, stuckAfterMs, stuckAfterRepeats, stuckAfterErrors,
stuckAfterToolErrors, onSilent, onLoop, onErrors, onToolErrors, escalateAfterMs, maxRetries, retryWaitMs, maxDepth, maxTreeRuns, reuse, maxAgents, maxRestarts, outputDays, outputBytes,
recordingDays, recordingBytes, terminalClipboard, terminalTitles, terminalLinks, allowedEgress, maxRunCostMicros, maxTreeCostMicros,
maxDayCostMicros, maxTotalCostMicros). Flags are put over what the file says; costs are in dollars there. The policy decides
from now on; where several state a rule, the one with the highest priority does.`,
  examples: [
    ["policy set careful --approval-required --auto-approve 'docs/**'", "A person approves, except for documents."],
    ["policy set two-at-a-time --project shop --max-concurrent 2", "At most two runs of a project at work."],
    ["policy set thrift --max-run-cost 5 --max-day-cost 40", "At most $5 for a run, and $40 a day for all."],
    ["policy set small --max-memory 2GiB --max-cpu 1", "No run and no living agent has more memory or processors."],
    ["policy set firm --on-loop stop --escalate-after 15m", "Nobody goes round in circles, or waits unseen."],
    ["policy set warm --project shop --reuse 'shop-*'", "Runs work in agents that are there, with all that was built."],
    ["policy set night --file night.yaml", "From a file."],
  ],
  parameters: {
    flags: {
      file: textFlag("FILE", "Reads the policy from a file; - is standard input."),
      priority: { ...priorityFlag, brief: "The higher one decides where several state the same rule. Left out: 0." },
      enabled: {
        kind: "boolean",
        optional: true,
        brief: "Whether it decides anything; --no-enabled keeps it for later.",
      },
      project: { ...projectFlag, brief: "Only runs of this project." },
      profile: textFlag("NAME", "Only runs with this profile."),
      runner: textFlag("NAME", "Only runs of this runner."),
      node: textFlag("NAME", "Only runs on this node."),
      maxConcurrent: { ...count, brief: "Runs at work at the same time." },
      maxFiles: { ...count, brief: "Distinct files that one run may change." },
      maxBytes: { ...count, brief: "Bytes that one run may write." },
      maxDisk: {
        ...count,
        brief: "Bytes that the workspace of one run, or of a living agent, may take on the disk, scratch and all.",
      },
      maxMemory: {
        ...size,
        brief: "Memory that everything a run starts, or everything in a living agent, may use together.",
      },
      maxCpu: {
        kind: "parsed",
        parse: parseAmount,
        optional: true,
        placeholder: "N",
        brief:
          "Processors that everything a run starts, or everything in a living agent, may use together, such as 0.5.",
      },
      maxProcesses: { ...count, brief: "Processes and threads that a run, or a living agent, may have at once." },
      maxOpenFiles: { ...count, brief: "Files that each process of a run, or of a living agent, may have open." },
      maxOutputRate: {
        ...size,
        brief:
          "What each command of a run, or each service or command of a living agent, may say in a second before it is kept waiting.",
      },
      maxTime: durationFlag("How long a run may be at work."),
      allowRunner: { ...several(parseNonEmpty), placeholder: "NAME", brief: "Only these runners." },
      denyRunner: { ...several(parseNonEmpty), placeholder: "NAME", brief: "Not these runners." },
      allowPath: { ...several(parseNonEmpty), placeholder: "GLOB", brief: "Only these paths may be changed." },
      denyPath: { ...several(parseNonEmpty), placeholder: "GLOB", brief: "These paths may not be changed." },
      approvalRequired: { kind: "boolean", optional: true, brief: "A person has to approve results." },
      autoApprove: {
        ...several(parseNonEmpty),
        placeholder: "GLOB",
        brief: "No approval when every changed path matches.",
      },
      autoApproveMaxBytes: { ...size, brief: "How large a file may be that needs no approval." },
      autoApproveBinary: {
        kind: "boolean",
        optional: true,
        brief: "--no-auto-approve-binary: what is no text needs approval, whatever its name is.",
      },
      maxFileBytes: { ...size, brief: "How large a changed file may be; larger ones do not land." },
      denyBinary: { kind: "boolean", optional: true, brief: "Changed files that are no text do not land." },
      claiming: {
        kind: "enum",
        values: ["auto", "explicit"],
        optional: true,
        brief: "auto: the first write claims; explicit: a write without a lease is refused.",
      },
      holdPatience: {
        ...durationOrForever,
        brief: "How long a finished run's leases resist those who wait, or forever.",
      },
      maxSwept: { ...count, brief: "Paths outside its leases that one command may change and have claimed for it." },
      stuckAfter: {
        ...durationOrForever,
        brief: "After how long without a sign of work people are told that a run is stuck; forever is never.",
      },
      stuckAfterRepeats: { ...count, brief: "The same, after how many calls in a row that are the same." },
      stuckAfterErrors: { ...count, brief: "The same, after how many turns in a row that failed." },
      stuckAfterToolErrors: { ...count, brief: "The same, after how many calls in a row that failed or were refused." },
      onSilent: {
        ...act,
        brief: "What is done then: tell people, nudge its assistant, pause or stop it. Left out: tell.",
      },
      onLoop: { ...act, brief: "The same, when it makes the same call again and again. Left out: nudge." },
      onErrors: { ...act, brief: "The same, when its turns fail. Left out: tell." },
      onToolErrors: { ...act, brief: "The same, when its calls fail or are refused. Left out: nudge." },
      escalateAfter: {
        ...durationOrForever,
        brief: "After how long what needs a person is told once more, and first; forever is never. Left out: 1h.",
      },
      maxRetries: {
        ...count,
        brief: "How often an assistant is tried again that a rate limit or an outage has stopped.",
      },
      retryWait: durationFlag(
        "How long the first wait for that is, where its model's maker names none; then twice as long.",
      ),
      maxDepth: { ...count, brief: "How many generations of runs may stem from one." },
      maxTreeRuns: { ...count, brief: "How many runs may stem from one, the first among them." },
      reuse: {
        ...several(parseNonEmpty),
        placeholder: "GLOB",
        brief: "Runs that name no agent work in a living one of this name, while one is up and free.",
      },
      maxAgents: { ...count, brief: "How many living agents there may be, stopped ones too." },
      maxRestarts: { ...count, brief: "How many services of all agents may be started again within ten seconds." },
      terminalClipboard: {
        ...passing,
        brief: "Whether programs in terminals may set the clipboard of whoever looks. Left out: deny.",
      },
      terminalTitles: { ...passing, brief: "Whether they may name the window of whoever looks. Left out: allow." },
      terminalLinks: { ...passing, brief: "Whether they may show links. Left out: allow." },
      outputDays: { ...count, brief: "For how many days after its end what a run has said is kept." },
      outputBytes: { ...count, brief: "How many bytes of that are kept for a project; the oldest go." },
      recordingDays: { ...count, brief: "For how many days after its end the recording of a terminal is kept." },
      recordingBytes: { ...count, brief: "How many bytes of recordings are kept for a project; the oldest go." },
      egress: { ...egressFlag, brief: "How much of the network a run may have at most." },
      maxRunCost: { ...dollars, brief: "What model requests of one run may cost." },
      maxTreeCost: { ...dollars, brief: "The same, of all runs that stem from one run." },
      maxDayCost: { ...dollars, brief: "The same, of all runs that the policy speaks of, on one day (UTC)." },
      maxTotalCost: { ...dollars, brief: "The same, of all of them, ever." },
      json: jsonFlag,
    },
    positional: {
      kind: "tuple",
      parameters: [{ parse: parseNonEmpty, placeholder: "NAME", brief: "Name of the policy." }],
    },
  },
  async run(cli, flags, name) {
    const project = flags.project === undefined ? undefined : await resolveProject(cli, flags.project);
    const base = flags.file === undefined ? {} : await readPolicyFile(cli, flags.file, name);
    await cli.link.call("policy.set", toPolicy(name, base, project === undefined ? flags : { ...flags, project }));
    const answer = await cli.link.call("policy.get", { name });
    if (flags.json) return cli.out.json(answer);
    cli.out.print(...toFieldLines(cli.out, toPolicyFields(answer.policy)));
  },
});
