import { describe, expect, test } from "vitest";
import { aboutMark, markOf, PeoplesWords, personSays } from "./peoples-words.ts";

describe("what people said to a run", () => {
  test("[RN27] is given in order, and what was given is not fresh", () => {
    const words = new PeoplesWords(["one", "two"], 1);
    words.add("three");
    expect(words.fresh).toEqual(["two", "three"]);
    words.tell(1);
    expect([words.told, words.fresh]).toEqual([2, ["three"]]);
    words.takeBack(1);
    expect(words.fresh).toEqual(["two", "three"]);
    words.takeBack(9);
    expect([words.told, words.all]).toEqual([0, ["one", "two", "three"]]);
  });

  test("[RN27] counts as given with an answer of the door only when the assistant has said something behind it", () => {
    const words = new PeoplesWords([], 0);
    words.add("one");
    expect(words.putIntoAnswer(100)).toEqual(["one"]);
    expect(words.putIntoAnswer(120)).toEqual([]);
    // It had said this before it was answered, and was heard late.
    words.confirm(99);
    // One that ended before it read the answer is told again.
    expect([words.told, words.fresh, words.unsure]).toEqual([0, [], ["one"]]);
    words.confirm(100);
    words.confirm(150);
    words.add("two");
    expect([words.told, words.fresh]).toEqual([1, ["two"]]);
    words.putIntoAnswer(200);
    words.add("three");
    words.tellAll();
    words.confirm(300);
    expect([words.told, words.fresh]).toEqual([3, []]);
  });

  test("[RN27] counts in order also where some was said otherwise behind what is in an answer", () => {
    const words = new PeoplesWords(["one"], 0);
    words.putIntoAnswer(100);
    words.add("two");
    words.tell(1);
    expect([words.told, words.given, words.fresh, words.unsure]).toEqual([0, 2, [], ["one", "two"]]);
    words.confirm(100);
    expect([words.told, words.unsure]).toEqual([2, []]);
    words.add("three");
    words.putIntoAnswer(200);
    words.takeBack(2);
    expect([words.told, words.unsure]).toEqual([1, ["two", "three"]]);
  });

  test("[RN27] has a mark in answers of the door, another one for each run, that its assistant was told of", () => {
    const mark = markOf("token-1");
    expect(mark).toMatch(/^[0-9a-f]{8}$/);
    expect([markOf("token-1"), markOf("token-2")]).toEqual([mark, expect.not.stringMatching(mark)]);
    expect(personSays("Mind the gap.", mark)).toBe(`A person says (${mark}): Mind the gap.`);
    expect(aboutMark(mark)).toContain(mark);
  });
});
