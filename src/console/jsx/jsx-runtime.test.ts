import type { ReactElement } from "react";
import { expect, test } from "vitest";
import { Fragment, jsx, jsxs } from "./jsx-runtime.ts";

const turned = "May I run \u202efr mr ?";
const shown = "May I run ⟨U+202E⟩fr mr ?";
const propsOf = (element: ReactElement): unknown => element.props;

test("no element of the page has text in it that hides or turns, wherever in it the text is", () => {
  expect(propsOf(jsx("p", { children: turned }))).toEqual({ children: shown });
  expect(propsOf(jsx(Fragment, { children: turned }))).toEqual({ children: shown });
  const inner = jsx("b", { children: "x" });
  expect(propsOf(jsxs("p", { children: ["a\u200b", inner, [turned, null], 3, false] }))).toEqual({
    children: ["a⟨U+200B⟩", inner, [shown, null], 3, false],
  });
  expect(propsOf(jsx("i", { title: turned, "aria-label": turned, children: "a\r\nb" }))).toEqual({
    title: shown,
    "aria-label": shown,
    children: "a\nb",
  });
});

test("what the page works with stays what it is, and so does what a person edits", () => {
  const props = { id: turned, "data-unit": turned, value: turned, className: "x", children: ["a", ["b\tc\n"]] };
  expect(propsOf(jsx("input", props))).toBe(props);
});

test("a component gets what it was given", () => {
  const Part = (): null => null;
  const props = { text: turned, title: turned, children: turned };
  expect(propsOf(jsx(Part, props))).toBe(props);
});
