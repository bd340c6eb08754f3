// Reads scripts beside the daemon's loop. A quarter of a megabyte of YAML takes half a second, and a hostile one more;
// whoever waits for a claim meanwhile should not notice.

import { Worker } from "node:worker_threads";
import { refuse, type Result } from "../../base/result.ts";
import { type BadScript, parseScript, type Script } from "../../protocol/script.ts";

type Outcome = Result<Script, BadScript>;

/** Up to here reading takes a few milliseconds: less than asking another thread. */
const atOnceChars = 8192;
const patienceMs = 20_000;

let last: Promise<unknown> = Promise.resolve();
let worker: Worker | undefined;

/** What `parseScript` answers; long scripts are read one after another in a thread of their own. */
export function readScript(source: string): Promise<Outcome> {
  if (source.length <= atOnceChars) return Promise.resolve(parseScript(source));
  const read = last.then(() => readAside(source));
  last = read.catch(() => undefined);
  return read;
}

function readAside(source: string): Promise<Outcome> {
  worker ??= startWorker();
  const reading = worker;
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      clearTimeout(timer);
      reading.off("message", take).off("error", fail);
      // It is there for the next one, but nobody has to wait for it at the end.
      reading.unref();
    };
    const giveUp = (): void => {
      finish();
      worker = undefined;
      void reading.terminate();
    };
    const take = (outcome: Outcome): void => {
      finish();
      resolve(outcome);
    };
    const refuseIt = (why: string): void => {
      giveUp();
      resolve(refuse({ code: "bad-script", where: "the text", why: `${why}; write a shorter one` }));
    };
    const fail = (error: Error & { readonly code?: string }): void => {
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") return refuseIt("reading it takes too much memory");
      giveUp();
      return reject(error);
    };
    const timer = setTimeout(() => refuseIt(`reading it takes longer than ${patienceMs / 1000} s`), patienceMs);
    reading.ref();
    reading.on("message", take).on("error", fail);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    reading.postMessage(source);
  });
}

function startWorker(): Worker {
  return new Worker(new URL("./script-worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
}
