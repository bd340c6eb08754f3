import { readdirSync, renameSync, symlinkSync } from "node:fs";
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
    await expectFault(recordings.read("te_1", 0, []), "recording-missing");
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
