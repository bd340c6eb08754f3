// Secrets in one file, each encrypted with AES-256-GCM and bound to its name; the key is in a file of its own. A copy of
// one file without the other says nothing. Whoever can read both, as this user can, reads everything: against that only
// the machine's own accounts help.

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { KeptSecret, SecretStore } from "../../ports/secret-store.ts";
import { swapSynced, sync } from "../../os/durable-file.ts";

type Sealed = {
  readonly name: string;
  readonly setAtMs: number;
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
};

const cipher = "aes-256-gcm";
const keyBytes = 32;

export class FileSecretStore implements SecretStore {
  readonly #file: string;
  readonly #keyFile: string;
  readonly #wallMs: () => number;
  /** Changes come one after another: each reads the file, and writes it anew. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: { readonly file: string; readonly keyFile: string; readonly wallMs: () => number }) {
    this.#file = options.file;
    this.#keyFile = options.keyFile;
    this.#wallMs = options.wallMs;
  }

  set(name: string, value: string): Promise<void> {
    return this.#alone(async () => {
      const key = await this.#readOrMakeKey();
      const kept = await this.#read();
      kept.set(name, seal(key, name, value, this.#wallMs()));
      await this.#write(kept);
    });
  }

  async get(name: string): Promise<string | null> {
    const sealed = (await this.#read()).get(name);
    return sealed === undefined ? null : unseal(await this.#readKey(), sealed);
  }

  remove(name: string): Promise<boolean> {
    return this.#alone(async () => {
      const kept = await this.#read();
      const wasThere = kept.delete(name);
      if (wasThere) await this.#write(kept);
      return wasThere;
    });
  }

  async list(): Promise<KeptSecret[]> {
    const kept = [...(await this.#read()).values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return kept.map(({ name, setAtMs }) => ({ name, setAtMs }));
  }

  async values(): Promise<string[]> {
    const kept = [...(await this.#read()).values()];
    if (kept.length === 0) return [];
    const key = await this.#readKey();
    return kept.map((sealed) => unseal(key, sealed));
  }

  #alone<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #read(): Promise<Map<string, Sealed>> {
    const text = await readFile(this.#file, "utf8").catch(absent);
    if (text === null) return new Map();
    try {
      const { v, secrets } = JSON.parse(text) as { v: number; secrets: Sealed[] };
      if (v !== 1) throw new Error(`its version is ${v}`);
      return new Map(secrets.map((sealed) => [sealed.name, sealed]));
    } catch (cause) {
      throw damaged(`${this.#file} is not a file of secrets`, cause);
    }
  }

  async #readKey(): Promise<Buffer> {
    const key = await readFile(this.#keyFile).catch(absent);
    if (key === null) throw damaged(`the key ${this.#keyFile} is missing`);
    if (key.length !== keyBytes) throw damaged(`the key ${this.#keyFile} has ${key.length} bytes, not ${keyBytes}`);
    return key;
  }

  async #readOrMakeKey(): Promise<Buffer> {
    const isThere = (await readFile(this.#keyFile).catch(absent)) !== null;
    // A new key would make everything unreadable that is there already.
    if (!isThere && (await this.#read()).size === 0) await keep(this.#keyFile, randomBytes(keyBytes));
    return this.#readKey();
  }

  async #write(kept: ReadonlyMap<string, Sealed>): Promise<void> {
    await keep(this.#file, `${JSON.stringify({ v: 1, secrets: [...kept.values()] })}\n`);
  }
}

/** Its folder is the home, which is there for good, and may be where only its owner can look. */
async function keep(file: string, bytes: string | Uint8Array): Promise<void> {
  await swapSynced(file, bytes);
  await sync(dirname(file));
}

function seal(key: Buffer, name: string, value: string, setAtMs: number): Sealed {
  const iv = randomBytes(12);
  const sealing = createCipheriv(cipher, key, iv).setAAD(Buffer.from(name));
  const data = Buffer.concat([sealing.update(value, "utf8"), sealing.final()]).toString("base64");
  return { name, setAtMs, iv: iv.toString("base64"), tag: sealing.getAuthTag().toString("base64"), data };
}

function unseal(key: Buffer, { name, iv, tag, data }: Sealed): string {
  try {
    const opening = createDecipheriv(cipher, key, Buffer.from(iv, "base64"), { authTagLength: 16 });
    opening.setAAD(Buffer.from(name)).setAuthTag(Buffer.from(tag, "base64"));
    return Buffer.concat([opening.update(Buffer.from(data, "base64")), opening.final()]).toString("utf8");
  } catch (cause) {
    throw damaged(`"${name}" was not encrypted with this key, or was changed since`, cause);
  }
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

function damaged(message: string, cause?: unknown): Fault {
  return new Fault("secret-damaged", { retry: "never", message, cause });
}
