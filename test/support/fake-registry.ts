// Package registries on this machine's loopback, each with one tiny package: what `npm install` and `pip install` ask for.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Serve = (asked: IncomingMessage, answer: ServerResponse) => void;

export class FakeRegistry {
  /** Not the address that programs inside a cage take for their own. */
  readonly host = "127.0.0.2";
  readonly #server = createServer((asked, answer) => this.#serve(asked, answer));
  readonly #routes = new Map<string, Serve>();
  readonly #folder = mkdtempSync(join(tmpdir(), "sb-registry-"));

  static async start(): Promise<FakeRegistry> {
    const registry = new FakeRegistry();
    registry.#server.listen(0, registry.host);
    await once(registry.#server, "listening");
    return registry;
  }

  get place(): string {
    return `${this.host}:${(this.#server.address() as { port: number }).port}`;
  }

  get url(): string {
    return `http://${this.place}`;
  }

  route(path: string, serve: Serve): void {
    this.#routes.set(path, serve);
  }

  /** For npm: a package that exports its own name. */
  addNpm(name: string): void {
    const inside = join(this.#folder, name, "package");
    mkdirSync(inside, { recursive: true });
    const manifest = { name, version: "1.0.0", main: "index.js" };
    writeFileSync(join(inside, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(inside, "index.js"), `module.exports = ${JSON.stringify(name)};\n`);
    const file = join(this.#folder, `${name}.tgz`);
    execFileSync("tar", ["-czf", file, "-C", join(this.#folder, name), "package"]);
    const bytes = readFileSync(file);
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    const dist = { tarball: `${this.url}/${name}/-/${name}-1.0.0.tgz`, integrity };
    const about = { name, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": { ...manifest, dist } } };
    this.route(`/${name}`, (_asked, answer) => sendJson(answer, about));
    this.route(`/${name}/-/${name}-1.0.0.tgz`, (_asked, answer) => void answer.end(bytes));
  }

  /** For pip: a module with its own name in it. */
  addPip(name: string): void {
    const file = join(this.#folder, `${name}-1.0.0-py3-none-any.whl`);
    const info = `${name}-1.0.0.dist-info`;
    const files = {
      [`${name}.py`]: `name = "${name}"\n`,
      [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0.0\n`,
      [`${info}/WHEEL`]: "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
      [`${info}/RECORD`]: `${name}.py,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n`,
    };
    const zip =
      "import json,sys,zipfile\nwith zipfile.ZipFile(sys.argv[1],'w') as z:\n for n,t in json.loads(sys.argv[2]).items(): z.writestr(n,t)";
    execFileSync("/usr/bin/python3", ["-c", zip, file, JSON.stringify(files)]);
    const wheel = readFileSync(file);
    this.route(`/simple/${name}/`, (_asked, answer) => {
      answer.setHeader("content-type", "text/html");
      answer.end(`<a href="/${name}-1.0.0-py3-none-any.whl">${name}-1.0.0-py3-none-any.whl</a>`);
    });
    this.route(`/${name}-1.0.0-py3-none-any.whl`, (_asked, answer) => void answer.end(wheel));
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #serve(asked: IncomingMessage, answer: ServerResponse): void {
    const serve = this.#routes.get(asked.url ?? "");
    if (serve !== undefined) return serve(asked, answer);
    return void answer.writeHead(404).end();
  }
}

function sendJson(answer: ServerResponse, value: unknown): void {
  answer.setHeader("content-type", "application/json");
  answer.end(JSON.stringify(value));
}
