// Secrets that the daemon keeps: setting, listing and removing them. No command shows one.

import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { forEach } from "../for-each.ts";
import { askNow } from "../now.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { readSecret } from "../read-secret.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";

const secret = { parse: parseNonEmpty, placeholder: "NAME", brief: "Its name, such as ANTHROPIC_API_KEY." } as const;

export const secretSet = defineCommand<CommonFlags, [string]>({
  usage: "NAME",
  about: `Asks for the value, or reads it from standard input; never from the command line, where others can see it. It is kept
encrypted in the daemon's home and shown to nobody. Models are paid for with ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN,
OPENAI_API_KEY, GEMINI_API_KEY or GOOGLE_API_KEY: what is kept here goes before what the daemon's environment has.`,
  examples: [
    ["secret set ANTHROPIC_API_KEY", "Type or paste it."],
    ["secret set OPENAI_API_KEY < key.txt", "From a file."],
  ],
  parameters: { flags: { json: jsonFlag }, positional: { kind: "tuple", parameters: [secret] } },
  async run(cli, { json }, name) {
    const value = await readSecret(cli, `Value of ${toSafeLine(name)}: `);
    await cli.link.call("secret.set", { name, value });
    if (json) return cli.out.json({ name });
    cli.out.print(`${toSafeLine(name)} is kept.`);
  },
});

export const secretList = defineCommand({
  usage: "",
  about: "Names, where the daemon has them from, and when a model request last used them. Values are never shown.",
  examples: [["secret list", "See what is configured."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const answer = await cli.link.call("secret.list", {});
    if (json) return cli.out.json(answer);
    if (answer.secrets.length === 0)
      return cli.out.note("There is no secret. Keep one with: signalbox secret set ANTHROPIC_API_KEY");
    const now = await askNow(cli);
    cli.out.table(
      [{ title: "NAME" }, { title: "FROM" }, { title: "SET" }, { title: "LAST USED" }],
      answer.secrets.map(({ name, from, setAt, usedAtMs }) => [
        toSafeLine(name),
        from,
        setAt?.slice(0, 10) ?? "",
        usedAtMs === null ? "never" : `${showDuration(now.since(usedAtMs))} ago`,
      ]),
    );
  },
});

export const secretRemove = defineCommand<CommonFlags, string[]>({
  usage: "NAME…",
  about: "What the daemon has in its environment stays there.",
  examples: [["secret remove OPENAI_API_KEY", "Forget it."]],
  parameters: { flags: { json: jsonFlag }, positional: { kind: "array", minimum: 1, parameter: secret } },
  run: (cli, { json }, ...names) =>
    forEach(
      cli,
      names,
      json,
      async (name) => {
        await cli.link.call("secret.remove", { name });
        return `${toSafeLine(name)} is removed.`;
      },
      "secrets",
    ),
});
