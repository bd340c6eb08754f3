// What is started in a terminal: the program that was asked for, or a shell that remembers what its person typed.

import type { Terminal } from "../../core/terminal/terminal-events.ts";

type Program = { readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> };

/** How the terminal is spoken to: the first of the system's places that has it, before the one in the home. */
const findTerminfo =
  'for d in /etc/terminfo /lib/terminfo /usr/lib/terminfo /usr/share/terminfo; do if [ -e "$d/x/$TERM" ]; then export TERMINFO="$d"; break; fi; done';
const completion = "/usr/share/bash-completion/bash_completion";

// With the first prompt, since no file of a person's is ours to change; and each line is kept when it was typed, for a
// shell whose agent goes down is asked nothing.
const onPrompt = `[ -n "$BASH_COMPLETION_VERSINFO" ] || { [ -r ${completion} ] && . ${completion}; }; history -a`;

/**
 * Whatever works in the agent can write into its home: what a shell reads of its own accord is the system's, so that nothing
 * there is run in a person's name (TM22).
 */
const systemFiles = {
  ENV: "",
  BASH_ENV: "",
  INPUTRC: "/etc/inputrc",
  BASH_COMPLETION_USER_FILE: "/dev/null",
  BASH_COMPLETION_USER_DIR: "/dev/null",
};

export function programOf({ id, argv, by, window }: Pick<Terminal, "id" | "argv" | "by" | "window">): Program {
  const own = { SIGNALBOX_TERMINAL: id, SIGNALBOX_WINDOW: window };
  const env = { TERM: "xterm-256color", COLORTERM: "truecolor", ...own };
  if (argv.length > 0) return { argv, env };
  // In the agent's own home, which stays when it is stopped; for each person, whatever their windows are called.
  const history = `.history-${by.replaceAll(/[^\w.-]/g, "-")}`;
  const bash = "exec /bin/bash --rcfile /dev/null -i";
  const line = `${findTerminfo}; export HISTFILE="$HOME/${history}"; if [ -x /bin/bash ]; then ${bash}; fi; exec /bin/sh -i`;
  const kept = { HISTSIZE: "10000", HISTFILESIZE: "20000", HISTCONTROL: "ignoredups" };
  return { argv: ["/bin/sh", "-c", line], env: { ...env, ...kept, ...systemFiles, PROMPT_COMMAND: onPrompt } };
}
