import { mkdirSync, readdirSync, renameSync, rmdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { Recording } from "../../keeper/terminals/recording.ts";
import { Screen } from "../../keeper/terminals/screen.ts";
import { type RecordedEvent, Recordings } from "./recordings.ts";

const head = { version: 1, argv: ["sh"], cols: 20, rows: 5, wallMs: 1000 } as const;

const small = { pieceBytesMax: 10_000, piecesMax: 4 };

function begun(terminal = "te_1"): { recordings: Recordings; recording: Recording } {
  const folder = makeTempFolder();
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const recordings = new Recordings({ folder, owner });
  return { recordings, recording: new Recording(recordings.folderOf(terminal), { ...head, terminal }, small) };
}

async function eventsOf(recordings: Recordings, secrets: readonly string[] = []): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for (let from: number | null = 0; from !== null;) {
    const page: Awaited<ReturnType<Recordings["read"]>> = await recordings.read("te_1", from, secrets);
    all.push(...page.events);
    from = page.next;
  }
  return all;
}

const textOf = (events: readonly RecordedEvent[]): string =>
  Buffer.concat(events.flatMap((event) => ("bytes" in event ? [event.bytes] : []))).toString();

describe("recordings", () => {
  test("[TM14] a recording plays back to the screen that was there", async () => {
    const { recordings, recording } = begun();
    const there = new Screen({ cols: 20, rows: 5, onAnswer: () => undefined });
    const say = async (text: string): Promise<void> => {
      recording.write(Buffer.from(text));
      await drawn(there, Buffer.from(text));
    };
    await say("one\r\n\u001b[31mtwo \u001b[1");
    await say("mthree\u001b[m\r\n");
    recording.resize(30, 6);
    there.resize(30, 6);
    await say("\u001b[?1049h\u001b[2;3Hhere");
    recording.close();
    const played = new Screen({ cols: 20, rows: 5, onAnswer: () => undefined });
    for (const event of await eventsOf(recordings)) {
      if ("bytes" in event) await drawn(played, event.bytes);
      else played.resize(event.cols, event.rows);
    }
    expect(played.serialize(100)).toBe(there.serialize(100));
  });

  test("[EN52] a link in the place of one of its files is not followed", async () => {
    const { recordings, recording } = begun();
    recording.write(Buffer.from("said"));
    recording.close();
    expect(textOf(await eventsOf(recordings))).toBe("said");
    const [folder, elsewhere] = [recordings.folderOf("te_1"), makeTempFolder()];
    for (const name of readdirSync(folder)) {
      renameSync(join(folder, name), join(elsewhere, name));
      symlinkSync(join(elsewhere, name), join(folder, name));
    }
    await expectFault(recordings.read("te_1", 0, []), "recording-unreadable");
  });

  test("[TM14] where a piece that is there cannot be read, nothing is shown that a secret in it might go on in", async () => {
    const { recordings, recording } = begun();
    const secret = "open-sesame-4711";
    recording.write(Buffer.from("said open-sesa"));
    recording.cut("screen 1");
    recording.write(Buffer.from("me-4711"));
    recording.close();
    const next = join(recordings.folderOf("te_1"), "bytes-14");
    renameSync(next, `${next}.away`);
    mkdirSync(next);
    await expectFault(recordings.read("te_1", 0, [secret]), "recording-unreadable");
    // Who has no secrets needs none of its neighbours.
    expect(textOf((await recordings.read("te_1", 0, [])).events)).toBe("said open-sesa");
    await expectFault(recordings.read("te_1", 14, []), "recording-unreadable");
    rmdirSync(next);
    renameSync(`${next}.away`, next);
    expect(textOf(await eventsOf(recordings, [secret]))).toBe(`said ${"*".repeat(16)}`);
  });

  test("[TM3] it is read in pages, across pieces, and none of it comes twice", async () => {
    const { recordings, recording } = begun();
    let whole = "";
    for (let line = 0; line < 170; line++) {
      const text = `${line} ${"y".repeat(200)}\n`;
      if (recording.isPieceFull) recording.cut("the screen");
      recording.write(Buffer.from(text));
      whole += text;
    }
    recording.close();
    expect(textOf(await eventsOf(recordings)) === whole).toBe(true);
    expect((await recordings.read("te_1", 0, [])).totalBytes).toBe(whole.length);
  });

  test("[TM3] when the oldest pieces are gone, it begins with the screen that the first one continues", async () => {
    const { recordings, recording } = begun();
    const block = Buffer.alloc(5000, "z");
    for (let count = 0; count < 12; count++) {
      if (recording.isPieceFull) recording.cut(`screen ${count}`);
      recording.write(block);
    }
    recording.close();
    const { events } = await recordings.read("te_1", 0, []);
    expect(textOf(events.slice(0, 1))).toBe("screen 4");
  });

  test("[TM14] a secret that stands partly in one piece and partly in the next is blotted out, and so is one on a screen", async () => {
    const { recordings, recording } = begun();
    const secret = "open-sesame-4711";
    const spelled = Buffer.from(secret).toString("base64");
    recording.write(Buffer.from(`${"a".repeat(100)}open-sesa`));
    recording.cut("screen 1");
    recording.write(Buffer.from(`me-4711 ${"b".repeat(100)} ${spelled.slice(0, 7)}`));
    recording.cut("screen 2");
    recording.write(Buffer.from(`${spelled.slice(7)} end`));
    const stars = (count: number): string => "*".repeat(count);
    const text = textOf(await eventsOf(recordings, [secret]));
    expect(text).toMatch(/^a{100}\*{16} b{100} \*{20,}\S* end$/);
    // What comes later is seen, also by whoever has read that piece before.
    recording.write(Buffer.from(` and ${secret}`));
    expect(textOf(await eventsOf(recordings, [secret])).endsWith(` end and ${stars(16)}`)).toBe(true);
    expect(textOf(await eventsOf(recordings))).toContain(secret);
    for (let piece = 0; piece < 4; piece++) {
      recording.cut(`screen with ${secret}`);
      recording.write(Buffer.from("x"));
    }
    recording.close();
    expect(textOf(await eventsOf(recordings, [secret]))).toBe(`screen with ${stars(16)}xxxx`);
  });

  test("[TM14] a secret that changes its look in the middle is blotted out of what is exported and searched", async () => {
    const { recordings, recording } = begun();
    recording.write(Buffer.from("KEY=\u001b[01;31m\u001b[Kopen-\u001b[m\u001b[Ksesame-4711\r\n"));
    recording.close();
    const secrets = ["open-sesame-4711"];
    const stars = `KEY=\u001b[01;31m\u001b[K*****\u001b[m\u001b[K***********\r\n`;
    expect(textOf(await eventsOf(recordings, secrets))).toBe(stars);
    expect(await recordings.search("te_1", "key=", 5, secrets)).toMatchObject([{ line: "KEY=****************" }]);
  });

  test("[TM14] it is searched in its text, and values of secrets are blotted out", async () => {
    const { recordings, recording } = begun();
    recording.write(Buffer.from("\u001b[32mok\u001b[m\r\nConnection \u001b[1mrefused\u001b[m by hunter2\r\nlast lin"));
    recording.write(Buffer.from("e, refused too"));
    recording.close();
    const lines = (await recordings.search("te_1", "REFUSED", 10, ["hunter2"])).map(({ line }) => line);
    expect(lines).toEqual(["Connection refused by *******", "last line, refused too"]);
    expect(await recordings.search("te_1", "refused", 1, [])).toHaveLength(1);
    expect(textOf(await eventsOf(recordings, ["hunter2", ""]))).not.toContain("hunter2");
    await expectFault(recordings.read("te_2", 0, []), "recording-missing");
    await recordings.sweep((terminal) => terminal !== "te_1");
    await expectFault(recordings.read("te_1", 0, []), "recording-missing");
  });
});

function drawn(screen: Screen, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => screen.write(bytes, resolve));
}
