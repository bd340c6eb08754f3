import { expect, test } from "vitest";
import {
  fromSaidFrame,
  fromTypeFrame,
  LineFrames,
  lineKinds,
  toLineFrame,
  toSaidFrame,
  toTypeFrame,
} from "./terminal-line-wire.ts";

test("[TM24] frames are whole again, however they are cut on their way", () => {
  const said = { offset: 2 ** 40, totalBytes: 2 ** 40 + 3, bytes: Uint8Array.of(0, 255, 10) };
  const typed = { tag: "viewer-1-7", bytes: Uint8Array.of(27, 91, 65) };
  const sent = Buffer.concat([toSaidFrame(said), toLineFrame(lineKinds.typed), toTypeFrame(typed)]);
  for (let size = 1; size <= sent.length; size++) {
    const got: [number, Uint8Array][] = [];
    const frames = new LineFrames((kind, content) => got.push([kind, content.slice()]));
    for (let at = 0; at < sent.length; at += size)
      expect(frames.feed(Uint8Array.from(sent.subarray(at, at + size)))).toBe(true);
    expect(got.map(([kind]) => kind)).toEqual([lineKinds.said, lineKinds.typed, lineKinds.type]);
    expect(fromSaidFrame(got[0]?.[1] ?? new Uint8Array())).toEqual(said);
    expect(fromTypeFrame(got[2]?.[1] ?? new Uint8Array())).toEqual(typed);
  }
});

test("[TM24] what can be no frame is said to be none", () => {
  expect(fromSaidFrame(Uint8Array.of(1, 2, 3))).toBeUndefined();
  const frames = new LineFrames(() => undefined);
  expect(frames.feed(new TextEncoder().encode("GET / HTTP/1.1\r\n"))).toBe(false);
});
