// What people write when they need locks on paths: a list, and a look at every entry. It knows conflicts between folders
// and files, and expiry; it has no queue, no fence, no holder that outlives a crash.

type Lock = { readonly path: string; readonly holder: string; readonly expiresAtMs: number };

export class NaiveLockList {
  readonly #locks: Lock[] = [];

  acquire(path: string, holder: string, nowMs: number, ttlMs: number): boolean {
    for (const lock of this.#locks) {
      if (lock.holder === holder || lock.expiresAtMs <= nowMs) continue;
      if (lock.path === path || lock.path.startsWith(`${path}/`) || path.startsWith(`${lock.path}/`)) return false;
    }
    this.#locks.push({ path, holder, expiresAtMs: nowMs + ttlMs });
    return true;
  }

  release(path: string, holder: string): boolean {
    const at = this.#locks.findIndex((lock) => lock.path === path && lock.holder === holder);
    if (at >= 0) this.#locks.splice(at, 1);
    return at >= 0;
  }
}
