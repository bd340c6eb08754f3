// What every blob store promises.

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { BlobStore } from "../../src/ports/blob-store.ts";

export function describeBlobStore(name: string, open: () => Promise<BlobStore>): void {
  describe(`${name} keeps blobs`, () => {
    test("and gives them back under the hash of their bytes", async () => {
      const store = await open();
      const bytes = new TextEncoder().encode("task: x\n");
      const blob = await store.put(bytes);
      expect(blob).toBe(createHash("sha256").update(bytes).digest("hex"));
      expect(Buffer.from((await store.get(blob)) ?? [])).toEqual(Buffer.from(bytes));
    });

    test("once, however often and however closely they are put", async () => {
      const store = await open();
      const bytes = Buffer.alloc(100_000, "x");
      const names = await Promise.all(Array.from({ length: 10 }, () => store.put(bytes)));
      expect(new Set(names).size).toBe(1);
      expect((await store.get(names[0] ?? ""))?.byteLength).toBe(100_000);
    });

    test("also an empty one", async () => {
      const store = await open();
      expect(await store.get(await store.put(new Uint8Array()))).toHaveLength(0);
    });

    test("whatever happens to the bytes that were handed in or out", async () => {
      const store = await open();
      const bytes = Uint8Array.of(1, 2, 3);
      const blob = await store.put(bytes);
      bytes[0] = 9;
      const first = await store.get(blob);
      if (first !== null) first[1] = 9;
      expect([...((await store.get(blob)) ?? [])]).toEqual([1, 2, 3]);
    });

    test("[TK11] until nobody names them and nobody has put them lately", async () => {
      const store = await open();
      const [kept, gone] = await Promise.all(["kept", "gone"].map((text) => store.put(new TextEncoder().encode(text))));
      const order = { kept: new Set([kept ?? ""]), youngMs: -1000, dryRun: false };
      expect(await store.collect({ ...order, youngMs: 60_000 })).toEqual({ objects: 0, bytes: 0 });
      expect(await store.collect({ ...order, dryRun: true })).toEqual({ objects: 1, bytes: 4 });
      expect(await store.collect(order)).toEqual({ objects: 1, bytes: 4 });
      expect(await store.get(gone ?? "")).toBeNull();
      expect(await store.get(kept ?? "")).not.toBeNull();
    });

    test.each(["", "x", "../../etc/passwd", "0".repeat(64), "A".repeat(64), `${"a".repeat(63)}/`])(
      "and knows none called %j",
      async (blob) => {
        const store = await open();
        expect(await store.get(blob)).toBeNull();
      },
    );
  });
}
