// HTTP by hand: tests of the entrance have to say what no decent client would.

import net from "node:net";

export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The code of the error, if it is one of ours. */
  readonly code: string | undefined;
};

export type RawRequest = {
  readonly method?: string;
  readonly target: string;
  /** Written as given, in this order; names may come twice. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
};

/** Sends one request and reads until the other side closes or has said all that it announced. */
export function sendRaw(port: number, request: RawRequest): Promise<RawAnswer> {
  const { method = "GET", target, headers = [], body = "" } = request;
  const head = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), "", ""].join(
    "\r\n",
  );
  return sendBytes(port, Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(body)]), method === "HEAD");
}

/** Sends bytes that need not be HTTP at all. */
export function sendBytes(port: number, bytes: Uint8Array, headOnly = false): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1", () => socket.write(bytes));
    let heard = "";
    const look = (ended: boolean): void => {
      const answer = parseAnswer(heard, ended || headOnly);
      if (answer === undefined && !ended) return;
      socket.destroy();
      resolve(answer ?? { status: 0, headers: {}, body: heard, code: undefined });
    };
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      heard += chunk;
      look(false);
    });
    socket.on("end", () => look(true));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // A server that hangs up on rubbish may do so before all of it has been sent.
      if (error.code === "ECONNRESET" || error.code === "EPIPE") look(true);
      else reject(error);
    });
  });
}

function parseAnswer(heard: string, ended: boolean): RawAnswer | undefined {
  const end = heard.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [first = "", ...rest] = heard.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    rest.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = heard.slice(end + 4);
  const isWhole =
    body.length >= Number(headers["content-length"] ?? Number.NaN) ||
    body.endsWith("0\r\n\r\n") ||
    /^\S+ (101|204|304)/.test(first);
  if (!isWhole && !ended) return undefined;
  const code = /"code":"([a-z-]+)"/.exec(body)?.[1];
  return { status: Number(first.split(" ")[1]), headers, body, code };
}
