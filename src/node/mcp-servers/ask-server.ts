// One request to a server of tools, on a connection that was judged: sent with its secrets, its answer passed on as it comes, with
// what was secret covered.

import { type IncomingMessage, request as requestHttp, type ServerResponse } from "node:http";
import { isIP, type Socket } from "node:net";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { connect as connectTls } from "node:tls";
import { MaskStream, maskText } from "../relay/mask-stream.ts";
import { finderOf } from "../relay/redactor.ts";
import { ServerNo } from "./server-no.ts";

export type Asked = {
  readonly url: URL;
  readonly socket: Socket;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly values: readonly string[];
  readonly idleMsMax: number;
};

/** What the protocol needs of a request, and of an answer. All else stays where it is. */
const sentOn = ["accept", "content-type", "mcp-session-id", "mcp-protocol-version", "last-event-id", "user-agent"];
const passedOn = ["content-type", "mcp-session-id", "mcp-protocol-version", "retry-after", "cache-control"];

export async function askServer(order: Asked, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  if (answer.destroyed) throw new ServerNo(502, "whoever asked has left");
  // Whoever leaves ends it, whatever is waited for just then.
  answer.once("close", () => order.socket.destroy());
  const got = await send(order, asked);
  const { statusCode = 0, headers } = got;
  const encoding = headers["content-encoding"] ?? "identity";
  // What is compressed could not be searched.
  if (encoding !== "identity") throw new ServerNo(502, "its answer is compressed, though that was not asked for");
  if (statusCode < 200 || (statusCode >= 300 && statusCode < 400))
    throw new ServerNo(502, `it answered ${statusCode}, and redirects are not followed`);
  const finder = finderOf(order.values);
  const kept = passedOn.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, maskText(String(headers[name]), finder)]],
  );
  try {
    answer.writeHead(statusCode, Object.fromEntries(kept) as Record<string, string>);
  } catch {
    throw new ServerNo(502, "its answer has a header that cannot be passed on");
  }
  answer.flushHeaders();
  const mask = new MaskStream(finder);
  const covering = new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, mask.push(chunk)),
    flush: (done) => done(null, mask.end()),
  });
  await pipeline(got, covering, answer).catch(() => undefined);
  if (!answer.writableFinished) answer.destroy();
}

/** Resolves with the beginning of the answer. */
async function send(order: Asked, asked: IncomingMessage): Promise<IncomingMessage> {
  const { url, headers, body, idleMsMax } = order;
  const own = Object.fromEntries(
    sentOn.flatMap((name) => (asked.headers[name] === undefined ? [] : [[name, asked.headers[name]]])),
  );
  const socket = url.protocol === "https:" ? await secure(order) : order.socket;
  return new Promise((resolve, reject) => {
    const sent = requestHttp({
      createConnection: () => socket,
      method: asked.method ?? "POST",
      path: `${url.pathname}${url.search}`,
      setHost: false,
      headers: {
        ...own,
        ...headers,
        ...{ host: url.host, connection: "close", "accept-encoding": "identity" },
        ...(body.length > 0 ? { "content-length": String(body.length) } : {}),
      },
    });
    const fail = (why: string): void => {
      sent.destroy();
      reject(new ServerNo(502, why));
    };
    socket.setTimeout(idleMsMax, () => {
      socket.destroy();
      fail("it said nothing for too long");
    });
    sent.on("error", (error) => fail(`it broke off (${error.message})`));
    sent.once("response", (got) => resolve(got));
    sent.once("upgrade", () => fail("it wants to speak another protocol"));
    sent.end(body);
  });
}

function secure({ url, socket, idleMsMax }: Asked): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    // An address is no name that could be asked for; the certificate has to be for it all the same.
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const safe = connectTls({ socket, host, ...servername, ALPNProtocols: ["http/1.1"] });
    const fail = (why: string): void => {
      safe.destroy();
      reject(new ServerNo(502, why));
    };
    safe.setTimeout(idleMsMax, () => fail("it said nothing for too long"));
    safe.on("error", (error: Error) => fail(`no safe connection came about (${error.message})`));
    // Where the connection below it was taken away, it says nothing else.
    safe.once("close", () => fail("no safe connection came about"));
    safe.once("secureConnect", () => resolve(safe));
  });
}
