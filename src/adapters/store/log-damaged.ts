// What is wrong with a log, and where.

import { Fault } from "../../base/fault.ts";

/**
 * missing: not there. checksum: its bytes changed. order: another event stands in its place. chain: whole, but it does
 * not follow from the one before it. file: SQLite itself cannot read it.
 */
export type DamageKind = "missing" | "checksum" | "order" | "chain" | "file";

export type Damage = {
  /** The first event that cannot be trusted; 0 when not even the first page can be read. */
  readonly seq: number;
  readonly kind: DamageKind;
  readonly reason: string;
};

/** The log is damaged. It is never skipped and never mended by guessing: docs/operating/recovery.md says what to do. */
export class LogDamaged extends Fault {
  readonly damage: Damage;

  constructor(damage: Damage, cause?: unknown) {
    const place = damage.seq === 0 ? "the log" : `event ${damage.seq}`;
    super("log-damaged", { message: `${place} is damaged: ${damage.reason}`, retry: "never", cause });
    this.damage = damage;
  }
}
