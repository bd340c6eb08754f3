import { describe, expect, test } from "vitest";
import { copiedPaths } from "./build-context.ts";

describe("what a Dockerfile takes from its surroundings", () => {
  test.each([
    ["nothing", "FROM a\nRUN make", []],
    ["files and folders", "COPY package.json ./src/ /app/\nADD a.tar /", ["package.json", "src", "a.tar"]],
    ["a list", 'COPY ["with space", "to"]', ["with space"]],
    ["with flags, over several lines", "COPY --chown=1:1 --chmod=755 a \\\n  b /to", ["a", "b"]],
    ["of another stage: nothing", "COPY --from=build /out /out", []],
    ["from elsewhere: nothing", "ADD https://example.org/x /x", []],
    ["by a pattern: what is before it", "COPY src/*.json /x\nCOPY pack*.json /y", ["src", ""]],
    ["everything", "COPY . /app", [""]],
    ["never what is above", "COPY ../../etc/passwd /x", ["etc/passwd"]],
    ["whatever it may be: everything", "ARG X\nCOPY ${X} /app", [""]],
    ["what a mount shows: everything", "RUN --mount=type=bind,target=/x make", [""]],
    ["text of its own: everything", "COPY <<EOF /x\nEOF", [""]],
  ])("%s", (_what, dockerfile, paths) => {
    expect(copiedPaths(dockerfile)).toEqual(paths);
  });
});
