import { type CommonFlags, defineCommand } from "../define-command.ts";
import { anyRuns, jsonFlag, onlyProjectFlag } from "../flags.ts";
import { resolveOnlyProject } from "../resolve-project.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { diffLines, oversizedLines, staleLines, statLines } from "../view/diff-view.ts";

type Flags = CommonFlags & { readonly project?: string };

export const review = defineCommand<Flags, string[]>({
  usage: "[RUN…] [--project PROJECT]",
  about: "Without a run it lists what waits for a person. With one it shows the changes and how to answer.",
  examples: [
    ["review", "What waits for you."],
    ["review r_1a", "Look at it, and see how to say yes or no."],
  ],
  parameters: { flags: { project: onlyProjectFlag, json: jsonFlag }, positional: anyRuns },
  async run(cli, { project, json }, ...runs) {
    if (runs.length === 0) {
      const only = await resolveOnlyProject(cli, project);
      const { runs: waiting } = await cli.link.call("run.list", { state: ["review"], ...only });
      if (json) return cli.out.json({ runs: waiting });
      if (waiting.length === 0) return cli.out.note("Nothing waits for a review.");
      return cli.out.table(
        [
          { title: "RUN" },
          { title: "PROJECT" },
          { title: "TITLE", cut: "end" },
          { title: "FILES", align: "right" },
          { title: "WHY", cut: "end" },
        ],
        waiting.map((run) => [
          run.id,
          toSafeLine(run.projectName),
          toSafeLine(run.title),
          String(run.changes.length),
          toSafeLine(run.because ?? ""),
        ]),
      );
    }
    const shown = [];
    for (const id of runs) {
      const { run } = await cli.link.call("run.get", { run: id });
      const { changes, seen, of, stale, oversized } = await cli.link.call("run.diff", { run: id });
      shown.push({ run, changes, stale, oversized, seen });
      if (json) continue;
      const because = run.because === null ? "" : `: ${run.because}`;
      cli.out.print(
        cli.out.colors.bold(`${run.id} ${toSafeLine(run.title)}`),
        toSafeLine(`${run.state}${because}`),
        ...statLines(changes, cli.out.colors, of === "workspace"),
        "",
        ...diffLines(changes, cli.out.colors),
      );
      cli.out.note(
        ...staleLines(stale),
        ...oversizedLines(oversized),
        "",
        ...(run.state === "review" ? waysOf(id, seen) : [`${id} is ${run.state}: there is nothing to decide.`]),
      );
    }
    if (json) cli.out.json({ reviews: shown });
  },
});

function waysOf(id: string, seen: string): string[] {
  const ways = [
    [`land ${id}`, "all of it, and wait until it has landed"],
    [`approve ${id} --file PATH`, "only some files"],
    [`approve ${id} --hunk PATH:1,3`, "only some hunks of a file, by their numbers"],
    [`return ${id} -m TEXT`, "back to work, with what is wrong"],
    [`reject ${id} -m TEXT`, "no; its changes stay in the trash"],
    [`approve ${id} --seen ${seen}`, "all of it, if it is still this"],
  ];
  const width = Math.max(...ways.map(([command = ""]) => command.length));
  return ways.map(([command = "", what]) => `signalbox ${command.padEnd(width)}  ${what}`);
}
