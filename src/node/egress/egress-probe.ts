// A way out for trying: a real forwarder, with somebody on this machine's loopback who is listed and somebody who is not.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import type { CageOrder } from "../../protocol/keeper/keeper-wire.ts";
import { EgressWays, type Ways } from "./egress-ways.ts";

const host = "127.0.0.2";
const greeting = "signalbox was here";

export class EgressProbe {
  readonly #ways: EgressWays;
  readonly #server: Server;
  readonly #made: Ways;
  readonly #port: number;

  private constructor(ways: EgressWays, server: Server, made: Ways, port: number) {
    this.#ways = ways;
    this.#server = server;
    this.#made = made;
    this.#port = port;
  }

  static async start(folder: string, as: { readonly uid: number; readonly gid: number } | null): Promise<EgressProbe> {
    const server = createServer((_asked, answer) => void answer.end(greeting));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, host, resolve);
    });
    const { port } = server.address() as AddressInfo;
    const owner = as ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    const clock = { setTimer: () => () => undefined };
    const ways = new EgressWays({ folder, owner, clock, resolve: async () => [] });
    const made = await ways.open({
      owner: { run: "probe" },
      name: "probe",
      project: () => "probe",
      egress: () => ({ kind: "list", allow: [`${host}:${port}`], policy: null }),
      report: async () => true,
    });
    return new EgressProbe(ways, server, made, port);
  }

  /** What the cage has to have for it: the way, and a program that can speak. */
  get order(): Pick<CageOrder, "bridges" | "env" | "binds"> {
    const program = dirname(process.execPath);
    return { ...this.#made, binds: program.startsWith("/usr/") ? [] : [program] };
  }

  /** A command that asks for both. */
  get argv(): readonly string[] {
    const ask = `const { hostname: host, port } = new URL(process.env.HTTP_PROXY);
      for (const at of [${this.#port}, 1]) require("http").get({ host, port, path: "http://${host}:" + at + "/" },
        async (answer) => console.log(at, answer.statusCode, String(await answer.toArray())));`;
    return [process.execPath, "-e", ask];
  }

  isRight(said: string): boolean {
    return said.includes(`${this.#port} 200 ${greeting}`) && said.includes("1 403 ");
  }

  async end(): Promise<void> {
    await this.#ways.close();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }
}
