// Where the credential of a provider comes from: what a person kept with `secret set`, a file that the environment names,
// or the environment itself, in this order.

import { readFile } from "node:fs/promises";
import type { SecretStore } from "../../ports/secret-store.ts";
import { providerNames, providers, type ProviderName } from "./providers.ts";

export type CredentialSource = "store" | "file" | "environment" | "subscription";

export type Credential = {
  readonly name: string;
  readonly from: CredentialSource;
  readonly value: string;
  readonly header: string;
  readonly headerValue: string;
  /** Further headers that go with it. */
  readonly also: Readonly<Record<string, string>>;
  /** What has to be among the betas that a request asks for. */
  readonly beta: string | null;
  /** Where it is good for, if not where its provider usually is. */
  readonly baseUrl: string | null;
};

const plain = { also: {}, beta: null, baseUrl: null } as const;
/** Where a key can come from. */
type KeySource = Exclude<CredentialSource, "subscription">;

export class Credentials {
  readonly #secrets: Pick<SecretStore, "get">;
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(secrets: Pick<SecretStore, "get">, env: Readonly<Record<string, string | undefined>>) {
    this.#secrets = secrets;
    this.#env = env;
  }

  /** The credential of a provider, the usual one or the one of a name; null when there is none. */
  async of(provider: ProviderName, name: string | null = null): Promise<Credential | null> {
    const usual = providers[provider].credentials;
    const named = name === null ? usual : usual.slice(0, 1).map((each) => ({ ...each, name }));
    for (const from of ["store", "file", "environment"] as const) {
      for (const { name, header, scheme } of named) {
        const value = (await this.#read(from, name))?.trim() ?? "";
        if (isUsable(value)) return { name, from, value, header, headerValue: `${scheme}${value}`, ...plain };
      }
    }
    return null;
  }

  /** The same for people: whether there is one, and where from. Its value stays here. */
  async describe(
    provider: ProviderName,
    name: string | null = null,
  ): Promise<{ readonly name: string; readonly from: CredentialSource } | null> {
    const found = await this.of(provider, name);
    return found === null ? null : { name: found.name, from: found.from };
  }

  /** The providers that there is a credential for. */
  async paid(): Promise<ProviderName[]> {
    const found = await Promise.all(providerNames.map(async (name) => ((await this.of(name)) === null ? [] : [name])));
    return found.flat();
  }

  /** Credentials that come from outside the store, whether or not one of the store goes before them. */
  async outside(): Promise<{ readonly name: string; readonly from: "file" | "environment" }[]> {
    const found: { name: string; from: "file" | "environment" }[] = [];
    for (const { name } of Object.values(providers).flatMap(({ credentials }) => credentials)) {
      for (const from of ["file", "environment"] as const)
        if (isUsable((await this.#read(from, name))?.trim() ?? "")) found.push({ name, from });
    }
    return found;
  }

  /** The values of those from outside, for those who have to recognise one where it must not be. */
  async values(): Promise<string[]> {
    const found: string[] = [];
    for (const { name, from } of await this.outside()) found.push((await this.#read(from, name))?.trim() ?? "");
    return found;
  }

  async #read(from: KeySource, name: string): Promise<string | null | undefined> {
    if (from === "store") return this.#secrets.get(name);
    if (from === "environment") return this.#env[name];
    const path = this.#env[`${name}_FILE`];
    return path === undefined || path === "" ? null : readFile(path, "utf8").catch(() => null);
  }
}

/** Whatever could not stand in a header is no credential. */
function isUsable(value: string): boolean {
  return /^[\x21-\x7e]+$/.test(value);
}
