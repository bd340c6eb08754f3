// The other side of `script-reader.ts`.

import { parentPort } from "node:worker_threads";
import { parseScript } from "../../protocol/script.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (source: string) => parentPort?.postMessage(parseScript(source)));
