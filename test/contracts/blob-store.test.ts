import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FileBlobStore } from "../../src/adapters/blob/file-blob-store.ts";
import { MemoryBlobStore } from "../../src/adapters/blob/memory-blob-store.ts";
import { describeBlobStore } from "./blob-store.contract.ts";

let folder: string;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "sb-blobs-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const freshFolder = (): string => path.join(folder, String(count++));

describeBlobStore("the memory store", () => Promise.resolve(new MemoryBlobStore()));
describeBlobStore("the file store", () => Promise.resolve(new FileBlobStore(freshFolder())));

test("a blob survives its store, is for its owner alone, and leaves nothing half done beside it", async () => {
  const place = freshFolder();
  const blob = await new FileBlobStore(place).put(Buffer.from("hello"));
  expect(Buffer.from((await new FileBlobStore(place).get(blob)) ?? []).toString()).toBe("hello");
  const files = await readdir(path.join(place, blob.slice(0, 2)));
  expect(files).toEqual([blob]);
  expect((await stat(path.join(place, blob.slice(0, 2), blob))).mode & 0o777).toBe(0o600);
});

test("a blob that was changed is reported, never handed out", async () => {
  const place = freshFolder();
  const store = new FileBlobStore(place);
  const blob = await store.put(Buffer.from("hello"));
  const file = path.join(place, blob.slice(0, 2), blob);
  await chmod(file, 0o600);
  await writeFile(file, "jello");
  await expect(store.get(blob)).rejects.toMatchObject({ code: "blob-damaged" });
});

test("a place that cannot be written is a fault, not a promise", async () => {
  const file = path.join(folder, "file");
  await writeFile(file, "");
  await expect(new FileBlobStore(file).put(Buffer.from("x"))).rejects.toMatchObject({ code: "store-unavailable" });
});
