// A process that runs seeds for a campaign, until its parent lets it go.

import { runChunk, type Chunk } from "./campaign.ts";

process.on("message", (chunk) => {
  void runChunk(chunk as Chunk).then((result) => process.send?.(result));
});
