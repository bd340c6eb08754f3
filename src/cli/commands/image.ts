// The images whose files are kept for agents.

import type { KeptImage } from "../../protocol/wire/image.ts";
import type { Cli } from "../cli.ts";
import { defineCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { toSize } from "../text/size.ts";

export const imageList = defineCommand({
  usage: "",
  about: `An image becomes a folder of this machine the first time that a run works in it; with a Dockerfile, whenever something
in it has changed. What no agent has and nobody used for two weeks goes by itself, and so does what is beyond 20 GiB.`,
  examples: [["image list", "See what is kept, and how much of the disk it takes."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const answer = await cli.link.call("image.list", {});
    if (json) return cli.out.json(answer);
    if (answer.images.length === 0)
      return cli.out.note("There is no image. A project gets one with: signalbox project change PROJECT --image NAME");
    printImages(cli, answer.images);
  },
});

export const imagePrune = defineCommand({
  usage: "",
  about: "Takes away the files of images that no agent has now. They are made again when they are needed.",
  examples: [["image prune", "Free what is not in use."]],
  parameters: { flags: { json: jsonFlag } },
  async run(cli, { json }) {
    const answer = await cli.link.call("image.prune", {});
    if (json) return cli.out.json(answer);
    if (answer.images.length === 0) return cli.out.note("There is nothing to take away.");
    printImages(cli, answer.images);
    cli.out.note(`${answer.images.length === 1 ? "This one is" : "These are"} gone.`);
  },
});

function printImages(cli: Cli, images: readonly KeptImage[]): void {
  cli.out.table(
    [
      { title: "IMAGE" },
      { title: "ID" },
      { title: "SIZE", align: "right" },
      { title: "LAST USED" },
      { title: "IN USE" },
    ],
    images.map(({ name, id, bytes, usedAtMs, inUse }) => [
      toSafeLine(name),
      id.slice(0, 12),
      toSize(bytes),
      `${showDuration(Date.now() - usedAtMs)} ago`,
      inUse ? "yes" : "",
    ]),
  );
}
