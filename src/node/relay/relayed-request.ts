// One model request on its way: let through by the engine, sent with the real credential, its answer passed on byte for
// byte while it is metered, and what became of it reported.

import { request as requestHttp, type ClientRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { request as requestHttps } from "node:https";
import { Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { SpelledFinder } from "../../base/spellings/spelled-finder.ts";
import type { AnswerModel } from "../../core/inputs.ts";
import { AnswerMeter } from "./answer-meter.ts";
import type { Ask } from "./ask.ts";
import type { Credential } from "./credentials.ts";
import { bodyBytesMax, type Exchange } from "./exchange-files.ts";
import { ProtocolError } from "../../protocol/errors.ts";
import { MaskStream, maskText } from "./mask-stream.ts";
import { headersToAnswer, headersToForward, type Route } from "./providers.ts";
import { finderOf } from "./redactor.ts";

export type RelayedRequest = {
  readonly route: Route;
  readonly url: URL;
  readonly credential: Credential;
  readonly body: Buffer;
  /** Takes room for what is kept of the answer; what finds none is left out. */
  readonly grow: (bytes: number) => boolean;
  /** Null where nothing is metered. */
  readonly ask: Ask | null;
  readonly idleMsMax: number;
  /** Gets another credential where the provider does not take this one; null where there is no other. */
  readonly renew: (() => Promise<Credential>) | null;
};

/** What became of it, as far as the wire tells. */
export type Outcome = Pick<AnswerModel, "extent" | "status" | "model"> & {
  readonly usage: Pick<AnswerModel, "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens">;
  readonly exchange: Pick<Exchange, "status" | "contentType" | "answer" | "isCut">;
  /** Whether its maker broke it off, and not whoever asked. */
  readonly broke: boolean;
  /** Why the provider was not reached, where nothing of an answer came. */
  readonly unreachable: string | null;
  /** After how long it wants to be asked again, where it says so. */
  readonly retryAfterMs: number | null;
};

const unauthorized = 401;
const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Sends it and passes the answer on. `settle` is told what became of it before the answer ends. */
export async function relay(
  asked: RelayedRequest,
  client: { readonly request: IncomingMessage; readonly response: ServerResponse },
  settle: (outcome: Outcome) => Promise<void>,
): Promise<void> {
  const { response } = client;
  let answer: IncomingMessage;
  let used = asked;
  try {
    answer = await send(asked, client.request, response);
    if (answer.statusCode === unauthorized && asked.renew !== null) {
      answer.destroy();
      used = { ...asked, credential: await asked.renew(), renew: null };
      answer = await send(used, client.request, response);
    }
  } catch (error) {
    // What the provider did not take has cost nothing, and whoever asked hears what a person has to do.
    if (error instanceof ProtocolError) {
      const status = error.code === "subscription-expired" ? unauthorized : null;
      const exchange = { status, contentType: "", answer: Buffer.alloc(0), isCut: true };
      const about = {
        extent: "none",
        status,
        model: null,
        broke: false,
        unreachable: null,
        retryAfterMs: null,
      } as const;
      await settle({ ...about, usage: nothing, exchange });
      throw error;
    }
    // A client that hangs up early may have started something that costs: then the prompt counts.
    const hungUp = response.destroyed;
    const usage = hungUp && asked.ask !== null ? { ...nothing, inputTokens: asked.ask.inputTokens } : nothing;
    const extent = hungUp ? "partial" : "none";
    const exchange = { status: null, contentType: "", answer: Buffer.alloc(0), isCut: true };
    const unreachable = error instanceof Error ? error.message : String(error);
    const about = { extent, status: null, model: null, broke: false } as const;
    return settle({ ...about, usage, exchange, unreachable, retryAfterMs: null });
  }
  await passOn(used, answer, response, settle);
}

/** Resolves with the beginning of the answer. */
function send(asked: RelayedRequest, client: IncomingMessage, response: ServerResponse): Promise<IncomingMessage> {
  const { url, credential, body, idleMsMax } = asked;
  const headers = {
    ...headersToForward(client.headers),
    // What is compressed could be neither metered nor searched for credentials.
    "accept-encoding": "identity",
    ...withBeta(client.headers, credential),
    ...credential.also,
    [credential.header]: credential.headerValue,
    ...(body.length > 0 ? { "content-length": String(body.length) } : {}),
  };
  const start = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = start(url, { method: client.method ?? "GET", headers });
    const hangUp = (): void => void sent.destroy(new Error("the assistant hung up"));
    response.once("close", hangUp);
    sent.setTimeout(idleMsMax, () => sent.destroy(new Error("it was silent for too long")));
    sent.on("error", reject);
    sent.once("response", (answer) => {
      // From now on the pipeline sees to it.
      response.off("close", hangUp);
      const status = answer.statusCode ?? 0;
      if (status >= 200 && (status < 300 || status >= 400)) return resolve(answer);
      sent.destroy();
      reject(new Error(`it answered ${status}, and redirects are not followed`));
    });
    sent.end(body);
  });
}

/** The betas that the client asks for, and the one that its credential needs. */
function withBeta(headers: IncomingMessage["headers"], { beta }: Credential): Record<string, string> {
  if (beta === null) return {};
  const asked = String(headers["anthropic-beta"] ?? "");
  return { "anthropic-beta": asked === "" || asked.split(",").includes(beta) ? asked || beta : `${asked},${beta}` };
}

async function passOn(
  asked: RelayedRequest,
  answer: IncomingMessage,
  response: ServerResponse,
  settle: (outcome: Outcome) => Promise<void>,
): Promise<void> {
  const { route, ask, credential, grow } = asked;
  const status = answer.statusCode ?? 0;
  const contentType = answer.headers["content-type"] ?? "";
  const isAnswer = status < 400 && route.format !== null && ask !== null;
  const meter = isAnswer ? new AnswerMeter(route.format, contentType, grow) : null;
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let isKept = true;
  let settled: Promise<void> | undefined;
  // Whoever ends first takes the other side along.
  let endedBy: "maker" | "client" | undefined;
  answer.once("error", () => (endedBy ??= "maker"));
  response.once("close", () => (endedBy ??= "client"));
  const settleOnce = (isWhole: boolean): Promise<void> => {
    settled ??= (async () => {
      const exchange = {
        status,
        contentType,
        answer: Buffer.concat(kept),
        isCut: !isWhole || !isKept,
      };
      const metered = meter === null || ask === null ? null : meter.end(ask, isWhole);
      const { usage = nothing, extent = "none", model = null, isUnfinished = false } = metered ?? {};
      const broke = metered !== null && (isWhole ? isUnfinished : endedBy === "maker");
      const retryAfterMs = retryAfterOf(answer.headers);
      await settle({ extent, status, model, usage, exchange, broke, unreachable: null, retryAfterMs });
    })();
    return settled;
  };
  const finder = finderOf([credential.value]);
  const mask = new MaskStream(finder);
  const finish = async (done: TransformCallback): Promise<void> => {
    try {
      await settleOnce(true);
      done(null, mask.end());
    } catch (error) {
      done(error as Error);
    }
  };
  const tap = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      meter?.push(chunk);
      isKept &&= keptBytes + chunk.length <= bodyBytesMax && grow(chunk.length);
      if (isKept) kept.push(chunk);
      keptBytes += chunk.length;
      done(null, mask.push(chunk));
    },
    // The answer ends once what it cost is in the log: the next request meets the sum.
    flush: (done) => void finish(done),
  });
  response.writeHead(status, maskHeaders(headersToAnswer(answer.headers), finder));
  response.flushHeaders();
  // Whichever side breaks off, the pipeline ends the others.
  await pipeline(answer, tap, response).catch(() => undefined);
  if (!response.writableFinished) response.destroy();
  await settleOnce(false);
}

/** In milliseconds, in seconds, or at a time of day, which is told by the answer's own. */
function retryAfterOf(headers: IncomingMessage["headers"]): number | null {
  const inMs = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (inMs >= 0) return inMs;
  const said = headers["retry-after"];
  if (said === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(said)) return Number(said) * 1000;
  const waitMs = Date.parse(said) - Date.parse(headers.date ?? "");
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}

function maskHeaders(headers: Record<string, string | string[]>, finder: SpelledFinder): typeof headers {
  const cover = (text: string): string => maskText(text, finder);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.map(cover) : cover(value)]),
  );
}
