// Logins of subscriptions that the daemon keeps for runners: giving, listing and taking them back. No command shows one.

import { protocolError } from "../../protocol/errors.ts";
import { subscriptionRunner, type Subscription } from "../../protocol/wire/subscription.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { forEach } from "../for-each.ts";
import { askNow } from "../now.ts";
import { parseNonEmpty } from "../parse-args.ts";
import { readText } from "../read-text.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";

type RunnerName = Subscription["runner"];

const runner = {
  parse: (text: string): RunnerName => {
    const found = subscriptionRunner.options.find((each) => each === text);
    if (found !== undefined) return found;
    const why = `subscriptions are for ${subscriptionRunner.options.join(" and ")}`;
    throw protocolError("bad-input", { where: "RUNNER", why });
  },
  placeholder: "RUNNER",
  brief: `Whose models it pays for: ${subscriptionRunner.options.join(" or ")}.`,
  proposeCompletions: () => Promise.resolve([...subscriptionRunner.options]),
} as const;

export const subscriptionAdd = defineCommand<CommonFlags & { readonly from: string }, [RunnerName]>({
  usage: "RUNNER --from FILE",
  about: `From then on every run of this runner is paid for with the login, whatever keys there are. The file is the one in which its
program keeps a login: .credentials.json of Claude's configuration, or what claude setup-token prints; auth.json of Codex.
It is read once, and only because you name it; the login is kept encrypted in the daemon's home, never enters a cage, and is
shown to nobody.

The daemon renews it, which makes the tokens in the file worthless. So log in once more for the daemon, in a folder of its
own, and remove that folder afterwards: a login that your own program uses too would be lost to one of the two.`,
  examples: [
    [
      "subscription add claude --from ~/for-signalbox/.credentials.json",
      "After CLAUDE_CONFIG_DIR=~/for-signalbox claude /login.",
    ],
    ["subscription add codex --from ~/for-signalbox/auth.json", "After CODEX_HOME=~/for-signalbox codex login."],
  ],
  parameters: {
    flags: {
      from: {
        kind: "parsed",
        parse: parseNonEmpty,
        placeholder: "FILE",
        brief: "The file with the login; - is standard input.",
      },
      json: jsonFlag,
    },
    positional: { kind: "tuple", parameters: [runner] },
  },
  async run(cli, { from, json }, name) {
    await cli.link.call("subscription.set", { runner: name, file: await readText(cli, "--from", from) });
    if (json) return cli.out.json({ runner: name });
    cli.out.print(`The login is kept, and pays for runs of ${name} from now on.`);
    if (from !== "-") cli.out.note(`The daemon renews it: do not use ${toSafeLine(from)} for anything else any more.`);
  },
});

export const subscriptionList = defineCommand({
  usage: "",
  about: "Which runners are paid for with a login, until when it is good as it is, and what is wrong with it.",
  examples: [["subscription list", "See whether they are renewed."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const answer = await cli.link.call("subscription.list", {});
    if (json) return cli.out.json(answer);
    if (answer.subscriptions.length === 0)
      return cli.out.note("There is no login. Give one with: signalbox subscription add claude --from FILE");
    const now = await askNow(cli);
    cli.out.table(
      [{ title: "RUNNER" }, { title: "GIVEN" }, { title: "GOOD UNTIL" }, { title: "RENEWED" }, { title: "LAST USED" }],
      answer.subscriptions.map((each) => [
        each.runner,
        each.setAt.slice(0, 10),
        minuteOf(each.expiresAt) ?? "it does not say",
        each.renews ? (minuteOf(each.renewedAt) ?? "not yet") : "cannot be",
        each.usedAtMs === null ? "never" : `${showDuration(now.since(each.usedAtMs))} ago`,
      ]),
    );
    const refused = answer.subscriptions.flatMap((each) => (each.refused === null ? [] : [each]));
    for (const each of refused)
      cli.out.note(toSafeLine(`${each.runner}: ${each.refused}; log in again, and add that login.`));
  },
});

export const subscriptionRemove = defineCommand<CommonFlags, RunnerName[]>({
  usage: "RUNNER…",
  about:
    "Runs of this runner are paid for with a key then, if there is one. The login itself stays good at its provider.",
  examples: [["subscription remove claude", "Forget it."]],
  parameters: { flags: { json: jsonFlag }, positional: { kind: "array", minimum: 1, parameter: runner } },
  run: (cli, { json }, ...names) =>
    forEach(
      cli,
      names,
      json,
      async (name) => {
        await cli.link.call("subscription.remove", { runner: name as RunnerName });
        return `The login of ${name} is forgotten.`;
      },
      "subscriptions",
    ),
});

/** To the minute, in UTC. */
function minuteOf(at: string | null): string | null {
  return at === null ? null : `${at.slice(0, 16).replace("T", " ")}Z`;
}
