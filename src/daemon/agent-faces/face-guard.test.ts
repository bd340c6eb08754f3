import { describe, expect, test } from "vitest";
import { checkFace, isSocket } from "./face-guard.ts";

const origin = "http://shop-1-web.localhost:4180";
const key = { agent: "a_1", face: "web" };
const keys = {
  admits: (token: string) => token === "good",
  hasCookie: (cookies: string | undefined) => cookies === "good",
};

type Headers = Readonly<Record<string, string>>;
const cookie: Headers = { cookie: "good" };
const token: Headers = { authorization: "Bearer good" };
const own: Headers = { origin };
const socket: Headers = { upgrade: "WebSocket", connection: "Upgrade" };
const link: Headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

const check = (method: string, ...headers: Headers[]): string =>
  checkFace(keys, { method, headers: Object.assign({}, ...headers) as Headers }, { key, origin }) ?? "in";

describe("who gets in to a face", () => {
  test.each<[string, string, Headers[], string]>([
    ["nobody", "GET", [], "face-closed"],
    ["its page, without a key", "GET", [own], "face-closed"],
    ["a token", "POST", [token], "in"],
    ["a token of somebody else", "GET", [{ authorization: "Bearer bad" }], "face-closed"],
    ["its page with Authorization of its own", "GET", [cookie, own, { authorization: "Bearer bad" }], "in"],
    ["somebody who types the address", "GET", [cookie, { "sec-fetch-site": "none" }], "in"],
    ["an old browser that looks", "HEAD", [cookie], "in"],
    ["an old browser that changes something", "POST", [cookie], "forbidden-origin"],
    ["a link that is followed", "GET", [cookie, link], "in"],
    ["a link that is followed by a form", "POST", [cookie, link], "forbidden-origin"],
    ["a page that shows it in a frame", "GET", [cookie, link, { "sec-fetch-dest": "iframe" }], "forbidden-origin"],
    ["a picture in another page", "GET", [cookie, { "sec-fetch-site": "cross-site" }], "forbidden-origin"],
    ["a page of the same host at another port", "GET", [cookie, { "sec-fetch-site": "same-site" }], "forbidden-origin"],
    ["its own page", "POST", [cookie, own], "in"],
    ["its own page, by what the browser says", "DELETE", [cookie, { "sec-fetch-site": "same-origin" }], "in"],
    ["its own page that hides", "POST", [cookie, { origin: "null", "sec-fetch-site": "same-origin" }], "in"],
    ["a page that hides", "POST", [cookie, { origin: "null" }], "forbidden-origin"],
    ["a page that hides, with a token", "GET", [token, { origin: "null" }], "forbidden-origin"],
    ["another page with a token", "GET", [token, { origin: "http://shop-2-web.localhost:4180" }], "forbidden-origin"],
    ["the console's page", "GET", [cookie, { origin: "http://127.0.0.1:4180" }], "forbidden-origin"],
    ["a page of its host at another port", "GET", [cookie, { origin: `${origin}1` }], "forbidden-origin"],
    ["a page that lies about its site", "GET", [cookie, link, { origin: "https://evil.example" }], "forbidden-origin"],
    ["a WebSocket of its page", "GET", [cookie, own, socket], "in"],
    ["a WebSocket of no page", "GET", [cookie, socket], "forbidden-origin"],
    ["a WebSocket of a program", "GET", [socket, { "sec-websocket-protocol": "chat, bearer.good" }], "in"],
  ])("[FC6] %s", (_, method, headers, answer) => {
    expect(check(method, ...headers)).toBe(answer);
  });

  test("[FC12] only a WebSocket is one", () => {
    const offers = [socket, { upgrade: "h2c" }, { upgrade: "websocket, h2c" }, {}];
    expect(offers.map((headers) => isSocket(headers))).toEqual([true, false, false, false]);
  });
});
