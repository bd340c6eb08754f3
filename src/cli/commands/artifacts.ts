import type { Cli } from "../cli.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag, runArgument } from "../flags.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { toSafeLines } from "../text/safe-text.ts";

export const artifacts = defineCommand<CommonFlags, [string, string | undefined]>({
  usage: "RUN [NAME]",
  about: `Files that a run published, output-N: all that the command of its step N said, own-N-N: all that came of a call of its
assistant's own tools, where that is long, asked-ID: all of an act that its assistant asks leave for, likewise, landing-test.txt: all
that the test said which kept it from landing, and exchange-ID: what one request asked of its model and what that answered, as JSON without secrets. With a NAME its bytes go to standard output, as they are.`,
  examples: [
    ["artifacts r_1a", "What there is to read."],
    ["artifacts r_1a report.md > report.md", "One of them, into a file."],
    ["artifacts r_1a exchange-q_2f | jq -r .asked.body", "What its model was asked."],
  ],
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: "tuple",
      parameters: [
        runArgument,
        { parse: parseNonEmpty, optional: true, placeholder: "NAME", brief: "The artifact to read." },
      ],
    },
  },
  async run(cli, { json }, run, name) {
    if (name !== undefined) return await copyOut(cli, run, name);
    const found = await cli.link.call("run.artifacts", { run });
    if (json) cli.out.json(found);
    else
      cli.out.table(
        [{ title: "NAME" }, { title: "BYTES", align: "right" }],
        found.artifacts.map(({ name: each, bytes }) => [each, String(bytes)]),
      );
    return undefined;
  },
});

/** A screen gets no control characters; a file or a pipe gets every byte. What is large goes out as it comes, no faster than it is read. */
async function copyOut(cli: Cli, run: string, name: string): Promise<void> {
  const decoder = new TextDecoder();
  let line = "";
  for (let from = 0, total = 1; from < total;) {
    const { base64, totalBytes } = await cli.link.call("run.artifact", { run, name, from });
    const bytes = Buffer.from(base64, "base64");
    total = bytes.length === 0 ? 0 : totalBytes;
    from += bytes.length;
    if (!cli.out.isScreen) {
      await cli.out.stream([bytes]);
      continue;
    }
    line += decoder.decode(bytes, { stream: true });
    const end = line.lastIndexOf("\n");
    if (end >= 0) cli.out.print(...toSafeLines(line.slice(0, end).replace(/\r$/, "")));
    line = line.slice(end + 1);
  }
  line += decoder.decode();
  if (line !== "") cli.out.print(...toSafeLines(line));
}
