import { describe, expect, test } from "vitest";
import { faceLabelOf, fitsFaceHost, isFaceName, parseFaceLabel, toFaceLabel, toFaceOrigin } from "./face-host.ts";

describe("host names of faces", () => {
  test("[FC2] the last dash is where the face begins", () => {
    expect(parseFaceLabel("shop-1-web")).toEqual({ agent: "shop-1", face: "web" });
    expect(parseFaceLabel("a-b-c")).toEqual({ agent: "a-b", face: "c" });
    expect(toFaceLabel({ agent: "a-b", face: "c" })).toBe("a-b-c");
    expect(isFaceName("b-c")).toBe(false);
    expect(toFaceOrigin({ agent: "shop-1", face: "web" }, 4180)).toBe("http://shop-1-web.localhost:4180");
  });

  test.each([
    "",
    "-",
    "web",
    "-web",
    "shop-",
    "shop--",
    "a--web",
    "xn--a-web",
    "shop-1web-2",
    "shop_1-web",
    "Shop-web",
  ])("[FC2] %j is no face", (label) => {
    expect(parseFaceLabel(label)).toBeUndefined();
  });

  test("[FC2] the longest names that are allowed fit into a label", () => {
    const agent = "a".repeat(46);
    const face = "f".repeat(16);
    expect([fitsFaceHost(agent), isFaceName(face), toFaceLabel({ agent, face }).length]).toEqual([true, true, 63]);
    expect([fitsFaceHost(`${agent}a`), isFaceName(`${face}f`)]).toEqual([false, false]);
  });

  test("[FC3] only one label below localhost, with the daemon's own port, can be a face", () => {
    expect(faceLabelOf("Shop-1-web.LOCALHOST:4180", 4180)).toBe("shop-1-web");
    const others = [
      "localhost:4180",
      "127.0.0.1:4180",
      "[::1]:4180",
      "shop-1-web.localhost",
      "shop-1-web.localhost:4181",
      "shop-1-web.localhost:04180",
      "shop-1-web.localhost.:4180",
      "a.shop-1-web.localhost:4180",
      ".localhost:4180",
      "shop-1-web.localhost.evil.example:4180",
      "shop-1-web.evil.example:4180",
      "shop-1-web.localhost:4180@evil.example",
      "shop-1-web.localhost:4180 ",
    ];
    expect(others.filter((host) => faceLabelOf(host, 4180) !== undefined)).toEqual([]);
  });
});
