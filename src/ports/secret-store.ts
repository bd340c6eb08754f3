/**
 * Values that only the daemon reads: credentials of providers, and what else people keep. A value never leaves by any other
 * way than `get`; a name is no secret.
 */
export interface SecretStore {
  /** Keeps a value under a name, in place of an earlier one, and returns once that is durable. */
  set(name: string, value: string): Promise<void>;
  /** The value, or null. Throws a Fault with code `secret-damaged` where it cannot be read. */
  get(name: string): Promise<string | null>;
  /** Says whether there was one. */
  remove(name: string): Promise<boolean>;
  /** All of them, by name. */
  list(): Promise<readonly KeptSecret[]>;
  /** Every value, for those who have to recognise one where it must not be. */
  values(): Promise<readonly string[]>;
}

export type KeptSecret = {
  readonly name: string;
  /** When it was set, by the wall clock. */
  readonly setAtMs: number;
};
