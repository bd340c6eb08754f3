import { describe, expect, test } from "vitest";
import { toPersonHeaders, toServiceHeaders } from "./face-headers.ts";

const isOurs = (token: string): boolean => token === "ours";
const toService = (...raw: string[]): string[] =>
  toServiceHeaders(raw, { host: "shop-1-web.localhost:1", origin: true, isOurs }).slice(2);

describe("what a service hears", () => {
  test("[FC7] it is called as it is told, and by nobody else", () => {
    const raw = ["Host", "evil.example", "HOST", "x", "Accept", "*/*"];
    expect(toServiceHeaders(raw, { host: "a.localhost:1", origin: true, isOurs })).toEqual([
      ...["host", "a.localhost:1"],
      ...["Accept", "*/*"],
    ]);
  });

  test.each([
    ...["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "x-forwarded-proto", "X-Forwarded", "X-Real-IP"],
    ...["X_Forwarded_Host", "x_forwarded-for", "X-Original-URL", "X-Original-Host", "X-Rewrite-URL", "X-Client-IP"],
    ...["Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "TE", "Trailer", "Transfer-Encoding"],
    ...["Upgrade", "Content-Length", "Content_Length", "Transfer_Encoding", "Expect", "signalbox-face"],
  ])("[FC7] %s of a client does not pass", (name) => {
    expect(toService(name, "x")).toEqual([]);
  });

  test("[FC7] what Connection names is for this connection only", () => {
    expect(toService("Connection", "close, X-Once", "X-Once", "1", "connection", "x-TWICE", "X-Twice", "1")).toEqual(
      [],
    );
  });

  test("[FC7] cookies of ours are taken out, wherever they stand, and others stay as they are", () => {
    expect(toService("Cookie", "a=1;b=2 ; c")).toEqual(["Cookie", "a=1;b=2 ; c"]);
    expect(toService("Cookie", "signalbox_face_1=x; a=1;signalbox_1=y;  b=signalbox_1")).toEqual([
      "Cookie",
      "a=1; b=signalbox_1",
    ]);
    expect(toService("cookie", "signalbox_face_1=x", "Cookie", "a=1")).toEqual(["Cookie", "a=1"]);
  });

  test("[FC7] an Authorization with a token of ours is taken off, and another passes", () => {
    for (const value of ["Bearer ours", "bearer  ours ", " BEARER ours"])
      expect(toService("Authorization", value)).toEqual([]);
    for (const value of ["Bearer theirs", "Basic ours", "Bearer", ""])
      expect(toService("Authorization", value)).toEqual(["Authorization", value]);
    expect(toService("Authorization", "Basic x", "authorization", "Bearer ours")).toEqual(["Authorization", "Basic x"]);
    const protocol = "Sec-WebSocket-Protocol";
    expect(toService(protocol, "bearer.ours, chat")).toEqual([protocol, "chat"]);
    expect(toService(protocol, "chat,bearer.theirs")).toEqual([protocol, "chat,bearer.theirs"]);
    expect(toService(protocol, "bearer.ours")).toEqual([]);
  });

  test("[FC7] an endpoint hears of no page", () => {
    const raw = ["Origin", "http://a.localhost:1", "Accept", "*/*"];
    expect(toServiceHeaders(raw, { host: "h", origin: false, isOurs })).toEqual(["host", "h", "Accept", "*/*"]);
  });

  test("[FC10] headers keep their order, their spelling and their number", () => {
    const raw = ["X-A", "1", "accept", "a", "X-A", "2", "ACCEPT", ""];
    expect(toService(...raw)).toEqual(raw);
  });
});

describe("what a browser hears", () => {
  test.each([
    ["a=1; Domain=localhost; Path=/", "a=1; Path=/"],
    ["a=1;domain=.localhost", "a=1"],
    ["a=1; DOMAIN ; Secure", "a=1; Secure"],
    ["a=1; Domain=x; domain=y; HttpOnly", "a=1; HttpOnly"],
    ["a=domain=x; Path=/", "a=domain=x; Path=/"],
    ["a=1; X-Domain=x", "a=1; X-Domain=x"],
  ])("[FC8] the cookie %s stays at its host", (given, kept) => {
    expect(toPersonHeaders(["Set-Cookie", given])).toEqual(["Set-Cookie", kept]);
  });

  test("[FC8] no cookie of a service has a name of ours", () => {
    for (const name of ["signalbox_face_1", " signalbox_1", "signalbox_", "=signalbox_face_1", " = signalbox_1"])
      expect(toPersonHeaders(["Set-Cookie", `${name}=x; Path=/`])).toEqual([]);
  });

  test("[FC8] what is for one connection, or names another address, does not pass; a redirect does", () => {
    const raw = [
      "Connection",
      "x-once",
      "X-Once",
      "1",
      "Transfer-Encoding",
      "chunked",
      "Alt-Svc",
      "h2",
      "Upgrade",
      "h2c",
    ];
    const kept = ["Location", "http://elsewhere.example", "Content-Length", "3", "X-A", "1", "X-A", "2"];
    expect(toPersonHeaders([...raw, ...kept])).toEqual(kept);
  });
});
