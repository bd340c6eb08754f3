import { makeLoginLink } from "../daemon-info.ts";
import { type CommonFlags, defineCommand } from "../define-command.ts";
import { flag, jsonFlag } from "../flags.ts";
import { openInBrowser } from "../open-in-browser.ts";
import { showDuration } from "../text/duration.ts";

export const login = defineCommand<CommonFlags & { readonly open: boolean }>({
  usage: "[--open]",
  examples: [
    ["login", "Print a fresh link."],
    ["login --open", "Open the console."],
  ],
  parameters: { flags: { open: flag("Opens the console in the browser."), json: jsonFlag } },
  async run(cli, { open, json }) {
    const link = await makeLoginLink(cli);
    if (json) cli.out.json(link);
    else {
      cli.out.print(link.url);
      cli.out.note(`Opens the console once, within ${showDuration(link.expiresInMs)}.`);
    }
    if (open) openInBrowser(cli, link.url);
  },
});
