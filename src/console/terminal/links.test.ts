import { expect, test } from "vitest";
import { findAddresses } from "./links.ts";

test("[TM15] an address is what can be read, without the end of its sentence, and of no other kind", () => {
  const found = (text: string): string[] => findAddresses(text).map(({ at, url }) => `${at} ${url}`);
  expect(found("see http://127.0.0.2:21000/a?b=c. And (https://example.org/x)!")).toEqual([
    "4 http://127.0.0.2:21000/a?b=c",
    "39 https://example.org/x",
  ]);
  expect(found("javascript:alert(1) file:///etc/passwd ftp://x")).toEqual([]);
  expect(found("http:// https://[")).toEqual([]);
});
