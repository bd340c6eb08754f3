import { expect, test } from "vitest";
import { fieldTexts, tooMuchIn } from "./json-text.ts";

test.each([
  ["[[1]]", 2, false],
  ["[[[1]]]", 2, true],
  ['[{"a":[1]}]', 2, true],
  ["[[],[],[[]]]", 3, false],
  ['["[[[[", "\\"[[[["]', 1, false],
  ['["\\\\", [[1]]]', 2, true],
  ['["no end [[[[', 1, false],
  ["]]]][[", 2, false],
])("%s is nested deeper than %i: %s", (text, depth, isDeeper) => {
  expect(tooMuchIn(text, { depthMax: depth, valuesMax: 100 })).toBe(
    isDeeper ? `is nested deeper than ${depth}` : undefined,
  );
});

test.each([
  ["1", 1],
  ["[]", 1],
  ["[ ]", 1],
  ["[[],[]]", 3],
  ["[[], {} , 1]", 4],
  ['{"a":{"b":"c,[]"},"d":[1,2]}', 6],
  ['["\\\\",1]', 3],
])("%s has %i values", (text, values) => {
  expect(tooMuchIn(text, { depthMax: 9, valuesMax: values })).toBe(undefined);
  expect(tooMuchIn(text, { depthMax: 9, valuesMax: values - 1 })).toBe(`has more than ${values - 1} values`);
});

test.each([
  ['{"a":1,"said":[1,{"said":2}],"b":3}', ["a=1", 'said=[1,{"said":2}]', "b=3"]],
  ['{ "b" : { "said" : 1 } , "said" : "x,y}" }', ['b={ "said" : 1 }', 'said="x,y}"']],
  ['{"b":"said","said":2}', ['b="said"', "said=2"]],
  // A reader knows every spelling of a name; of two under the same, one believes the first and another the last.
  ['{"s\\u0061id":1,"said":2,"said":"\\u0061"}', ["said=1", "said=2", 'said="\\u0061"']],
  ['{"\\"":1,"\\\\":2}', ['"=1', "\\=2"]],
  ['{"said":[1', []],
  ['{"said', []],
  ['["said",{"said":1}]', []],
  ["{}", []],
])("the fields of %s are %j", (text, fields) => {
  expect(fieldTexts(text, 3)?.map(({ name, text: written }) => `${name}=${written}`)).toEqual(fields);
});

test("more fields than somebody wants are not looked at", () => {
  expect(fieldTexts('{"a":1,"a":2}', 1)).toBeUndefined();
});
