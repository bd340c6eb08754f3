import { completeFaces } from "../completers.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import { openInBrowser } from "../open-in-browser.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { showDuration } from "../text/duration.ts";
import { faceListColumns, toFaceListRow } from "../view/agent-view.ts";
import { agentArgument } from "./agent.ts";

const faceArgument = {
  parse: parseNonEmpty,
  placeholder: "FACE",
  brief: "Name of a face, as its template says it.",
  proposeCompletions: completeFaces,
} as const;

export const faceList = defineCommand<CommonFlags, [string?]>({
  usage: "[AGENT]",
  about: "A face is a web page or an MCP endpoint of a service of an agent, on a host name of its own.",
  examples: [
    ["face list", "Those of all agents."],
    ["face list shop-1", "Those of one."],
  ],
  parameters: {
    flags: { json: jsonFlag },
    positional: { kind: "tuple", parameters: [{ ...agentArgument, optional: true }] },
  },
  async run(cli, { json }, agent) {
    const answer = await cli.link.call("face.list", agent === undefined ? {} : { agent });
    if (json) return cli.out.json(answer);
    if (answer.faces.length === 0)
      return cli.out.note("There is no face. Name some in a template, under faces: signalbox template schema");
    cli.out.table(
      faceListColumns,
      answer.faces.map((face) => toFaceListRow(cli.out, face)),
    );
  },
});

export const faceOpen = defineCommand<CommonFlags & { readonly print: boolean }, [string, string]>({
  usage: "AGENT FACE [--print]",
  about: `A page opens by a link that works once; from then on this browser has it open, for half a day. An MCP endpoint is for
programs: its address and a token for it are printed. Either is good for this face alone.`,
  examples: [
    ["face open shop-1 web", "Open it in the browser."],
    ["face open shop-1 web --print", "Print the link, for a browser elsewhere on this machine."],
  ],
  parameters: {
    flags: { print: flag("Prints the link and opens nothing."), json: jsonFlag },
    positional: { kind: "tuple", parameters: [agentArgument, faceArgument] },
  },
  async run(cli, { print, json }, agent, face) {
    const opened = await cli.link.call("face.open", { agent, face });
    if (json) return cli.out.json(opened);
    cli.out.print(opened.url);
    const within = showDuration(opened.expiresInMs);
    if (opened.token === null) cli.out.note(`Opens the face once, within ${within}.`);
    else {
      cli.out.print(`authorization: Bearer ${opened.token}`);
      cli.out.note(`Programs send this header; it is good for this face alone, for ${within}.`);
    }
    if (!print && opened.token === null) openInBrowser(cli, opened.url);
  },
});
