import { expect, test } from "vitest";
import { parseRequest } from "./parse-request.ts";

const read = (request: object) => () => parseRequest(JSON.stringify({ id: 1, ...request }))?.read();

test("[SV6] other limits are limits, or none in so many words", () => {
  const limits = { memoryBytes: 1024, processes: null, files: null, cpu: 0.5 };
  expect(read({ op: "limit", call: "c", limits })()).toMatchObject({ limits });
  expect(read({ op: "limit", call: "c", limits: null })()).toMatchObject({ limits: null });
  for (const wrong of [undefined, "all", [], { memoryBytes: "1" }, { cpu: -1 }])
    expect(read({ op: "limit", call: "c", limits: wrong })).toThrow("limits of limit have to be numbers");
  const start = { op: "start", call: "c", argv: ["true"], cwd: null, env: {}, timeoutMs: null };
  expect(read(start)()).toMatchObject(start);
  expect(read({ ...start, limits: { files: "1" } })).toThrow("limits of start have to be numbers");
});

test("[SV26] ways in are ports", () => {
  expect(read({ op: "ways", ports: [1, 65_535], version: 3 })()).toMatchObject({ ports: [1, 65_535] });
  for (const ports of [[0], ["80"], [65_536], "80", undefined])
    expect(read({ op: "ways", ports, version: 3 })).toThrow("ports of ways");
});

test("[SV7] a command is told by one of three signals, and ended by none of them", () => {
  for (const signal of ["HUP", "USR1", "USR2"])
    expect(read({ op: "signal", call: "c", signal })()).toMatchObject({ signal });
  for (const signal of ["KILL", "hup", "", "constructor"])
    expect(read({ op: "signal", call: "c", signal })).toThrow("has to be HUP, USR1 or USR2");
});
