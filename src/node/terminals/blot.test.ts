import { describe, expect, test } from "vitest";
import { Screen } from "../../keeper/terminals/screen.ts";
import { blotScreen } from "./blot.ts";

const secret = "open-sesame-4711";

/** The lines of a screen that was written down, blotted and drawn again. */
async function blotted(said: string, secrets: readonly string[] = [secret]): Promise<string[]> {
  const size = { cols: 20, rows: 5, onAnswer: () => undefined };
  const [there, again] = [new Screen(size), new Screen(size)];
  await drawn(there, Buffer.from(said));
  await drawn(again, await blotScreen(Buffer.from(there.serialize(0)), secrets));
  return again.lines();
}

function drawn(screen: Screen, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => screen.write(bytes, resolve));
}

describe("secrets on the screen with which a piece of a recording begins", () => {
  test("[TM14] one that goes on in the next row is blotted out of both, and everything else stays where it is", async () => {
    expect(await blotted(`key for you: ${secret} ok\r\nnext`)).toEqual([
      ...["key for you: *******", "********* ok", "next", "", ""],
    ]);
  });

  test("[TM14] one whose letters look different from one to the next is blotted out", async () => {
    expect(await blotted("key \u001b[1mopen-\u001b[0;31msesame\u001b[m-4711 ok")).toEqual([
      ...["key ****************", " ok", "", "", ""],
    ]);
  });

  test("[TM14] so is one that is spelled otherwise, and a short one", async () => {
    const spelled = Buffer.from(secret).toString("base64");
    expect((await blotted(`key: ${spelled} ok`)).join("")).toMatch(/^key: \*{20,}\S* ok$/);
    expect(await blotted("a pin is here: 123456", ["123456"])).toEqual([...["a pin is here: *****", "*", "", "", ""]]);
  });

  test("[TM14] one far into a large screen is blotted out where it stands", async () => {
    const row = `\u001b[31m${"日".repeat(40)}\u001b[m\r\n`;
    const screen = `${row.repeat(2000)}open-\u001b[1msesame\r\n-4711${row.repeat(2000)}`;
    const blotted = (await blotScreen(Buffer.from(screen), [secret])).toString();
    expect(blotted === screen.replace("open-\u001b[1msesame\r\n-4711", "*****\u001b[1m******\r\n*****")).toBe(true);
  });

  test("what is no secret stays as it was", async () => {
    expect(await blotted("open-sesame\r\n4711 日本\r\n\u001b[31mred")).toEqual([
      "open-sesame",
      "4711 日本",
      "red",
      "",
      "",
    ]);
  });
});
