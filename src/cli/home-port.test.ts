import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTempFolder } from "../../test/support/temp-folder.ts";
import { noteHomePort, portAfter, portsToTry, readHomePort, tellMoved } from "./home-port.ts";

const usual = 4180;

describe("the port of a home", () => {
  test("is the usual one, or another one for good where that was never had", () => {
    expect(portsToTry(null, usual)).toEqual([usual]);
    expect(portAfter(null, 50_001)).toEqual({ wanted: 50_001 });
    expect(tellMoved({ wanted: 50_001 })).toBeUndefined();
  });

  test("comes back once nobody else has it, and meanwhile is the same other one, which is said", () => {
    const moved = portAfter({ wanted: 4300 }, 50_001);
    expect(moved).toEqual({ wanted: 4300, instead: 50_001 });
    expect(tellMoved(moved)).toMatch("port 4300 is taken by another program");
    expect(portsToTry(moved, usual)).toEqual([4300, 50_001, usual]);
    expect(portAfter(moved, usual)).toEqual({ wanted: 4300, instead: usual });
    expect(portAfter(moved, 4300)).toEqual({ wanted: 4300 });
  });

  test("is kept in a file, also as earlier releases wrote it, and what is no port in there is nothing", () => {
    const file = join(makeTempFolder(), "port");
    expect(readHomePort(file)).toBeNull();
    for (const port of [{ wanted: 4300 }, { wanted: 4300, instead: 50_001 }]) {
      noteHomePort(file, port);
      expect(readHomePort(file)).toEqual(port);
    }
    noteHomePort(file, { wanted: 70_000 });
    expect(readHomePort(file)).toBeNull();
    noteHomePort(join(file, "not-a-folder"), { wanted: 4300 });
  });
});
