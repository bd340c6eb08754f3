// The parts that judge: what is a name, which addresses are public, whom a TLS greeting asks for.

import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { connect as connectTls } from "node:tls";
import { describe, expect, test } from "vitest";
import { isPublicAddress } from "./public-address.ts";
import { readAddress, readAuthority } from "./read-target.ts";
import { readServerName } from "./server-name.ts";

describe("whom somebody wants to reach", () => {
  test.each([
    ["example.org:443", { host: "example.org", port: 443 }],
    ["EXAMPLE.org.:443", { host: "example.org", port: 443 }],
    ["127.0.0.1:80", { host: "127.0.0.1", port: 80 }],
    ["[0:0::1]:80", { host: "::1", port: 80 }],
    ["[::ffff:127.0.0.1]:80", { host: "::ffff:7f00:1", port: 80 }],
  ])("[EG6] %s", (text, target) => expect(readAuthority(text)).toEqual(target));

  test.each([
    "example.org",
    "example.org:0",
    "example.org:70000",
    ":443",
    "127.1:80",
    "0x7f.0.0.1:80",
    "0x7f000001:80",
    "2130706433:80",
    "127.0.0.01:80",
    "example.org\0.evil.net:443",
    "exa mple.org:443",
    "example..org:443",
    "-a.org:443",
    "user@example.org:443",
    "[::1%lo]:80",
    "[::1:80",
    `${"a".repeat(64)}.org:443`,
    "exämple.org:443",
  ])("[EG6] %j is nobody", (text) => expect(readAuthority(text)).toBeUndefined());

  test("[EG6] of a plain request the address decides, not a name in front of it", () => {
    expect(readAddress("http://example.org/a?b")).toMatchObject({ host: "example.org", port: 80, path: "/a?b" });
    expect(readAddress("HTTP://example.org:8080")).toMatchObject({ host: "example.org", port: 8080, path: "/" });
    expect(readAddress("http://example.org?x")).toMatchObject({ host: "example.org", path: "/?x" });
    const bad = ["http://good.org@evil.net/", "https://example.org/", "/path", "http://", "ftp://example.org/"];
    expect(bad.filter((text) => readAddress(text) !== undefined)).toEqual([]);
  });
});

describe("public addresses", () => {
  test.each(["93.184.216.34", "1.1.1.1", "2606:2800:220:1::1", "2a00:1450::1"])("[EG6] %s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  const inner = [
    ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.0.1", "169.254.169.254", "172.16.0.1"],
    ...["172.31.255.255", "192.0.0.8", "192.168.1.1", "198.18.0.1", "203.0.113.1", "224.0.0.1", "255.255.255.255"],
    ...["::", "::1", "::ffff:127.0.0.1", "::ffff:93.184.216.34", "::7f00:1", "64:ff9b::7f00:1", "64:ff9b:1::1"],
    ...["fc00::1", "fd00:ec2::254", "fe80::1", "ff02::1", "2002:7f00:1::", "2001::1", "2001:db8::1", "100::1"],
    ...["", "example.org", "127.1"],
  ];
  test.each(inner)("[EG6] %j is not", (address) => expect(isPublicAddress(address)).toBe(false));

  test("[EG6] nor is any address of this machine", () => {
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    expect(own.length).toBeGreaterThan(0);
    for (const { address } of own) expect(isPublicAddress(address)).toBe(false);
  });
});

describe("whom a TLS greeting asks for", () => {
  async function greeting(servername: string): Promise<Buffer> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const client = connectTls({ port, host: "127.0.0.1", servername });
    client.on("error", () => undefined);
    const [socket] = (await once(server, "connection")) as [Socket];
    const [bytes] = (await once(socket, "data")) as [Buffer];
    client.destroy();
    socket.destroy();
    server.close();
    return bytes;
  }

  test("[EG7] is read from a real one, however it is cut into pieces and records", async () => {
    const bytes = await greeting("registry.example.org");
    const named = { is: "named", name: "registry.example.org" };
    expect(readServerName(bytes)).toEqual(named);
    for (let end = 0; end < bytes.length; end += 7)
      expect(readServerName(bytes.subarray(0, end)), `${end} bytes`).toEqual({ is: "unfinished" });
    const body = bytes.subarray(5);
    const records = [body.subarray(0, 1), body.subarray(1, 90), body.subarray(90)].map((part) => {
      const head = Buffer.from(bytes.subarray(0, 5));
      head.writeUInt16BE(part.length, 3);
      return Buffer.concat([head, part]);
    });
    expect(readServerName(Buffer.concat(records))).toEqual(named);
  });

  test("[EG7] may name nobody, be no TLS, or be broken", async () => {
    expect(readServerName(await greeting(""))).toEqual({ is: "absent" });
    expect(readServerName(Buffer.from("GET / HTTP/1.1\r\n"))).toEqual({ is: "absent" });
    const broken = Buffer.from(await greeting("example.org"));
    broken.writeUInt16BE(0xffff, 5 + 4 + 34 + 1 + (broken[43] ?? 0));
    expect(readServerName(broken)).toEqual({ is: "absent" });
  });
});
