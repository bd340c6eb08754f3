import { didYouMean } from "../../base/did-you-mean.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { completionScripts, shells } from "../completion-scripts.ts";

type Shell = (typeof shells)[number];

export const completion = defineCommand<CommonFlags, [Shell]>({
  usage: "bash|zsh|fish",
  about: "Completes commands, flags, and names and ids that the daemon knows.",
  examples: [
    ["completion bash > ~/.local/share/bash-completion/completions/signalbox", "For bash."],
    ['completion zsh > "${fpath[1]}/_signalbox"', "For zsh."],
    ["completion fish > ~/.config/fish/completions/signalbox.fish", "For fish."],
  ],
  parameters: {
    flags: { json: jsonFlag },
    positional: {
      kind: "tuple",
      parameters: [
        { parse: parseShell, placeholder: "SHELL", brief: "bash, zsh or fish.", proposeCompletions: () => shells },
      ],
    },
  },
  async run(cli, { json }, shell) {
    const script = completionScripts[shell];
    if (json) cli.out.json({ shell, script });
    else cli.out.raw(script);
  },
});

function parseShell(text: string): Shell {
  const found = shells.find((shell) => shell === text);
  if (found === undefined) throw new Error(`it is bash, zsh or fish.${didYouMean(text, shells)}`);
  return found;
}
