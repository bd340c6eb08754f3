import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  fromSaidFrame,
  LineFrames,
  lineKinds,
  toLineFrame,
  toTypeFrame,
} from "../../protocol/keeper/terminal-line-wire.ts";
import type { Listener } from "./hosted-terminal.ts";
import { type LinedTerminal, serveLines } from "./viewer-lines.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A terminal that has said so much, whose recording is gone. */
function forgotten(total: number): LinedTerminal {
  const folder = join(temporaryFolder(), "removed");
  return { folder, total, isClosed: false, listeners: new Set<Listener>(), type: () => true };
}

async function served(terminals: Readonly<Record<string, LinedTerminal>>): Promise<string> {
  const path = join(temporaryFolder(), "t.sock");
  const server = serveLines(path, (name) => terminals[name]);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return path;
}

/** A line whose first frame says this. */
function lineSaying(path: string, content: string): Socket {
  const socket = connect(path);
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write(toLineFrame(lineKinds.look, Buffer.from(content)));
  socket.resume();
  return socket;
}

function lookAt(terminal: string, from: number): string {
  return JSON.stringify({ terminal, from });
}

/** Says something, and answers when it has come by the line. */
async function hears(line: Socket, terminal: LinedTerminal): Promise<string> {
  const said = new Promise<string>((resolve) => {
    const frames = new LineFrames((_, content) => resolve(Buffer.from(fromSaidFrame(content)?.bytes ?? []).toString()));
    line.on("data", (chunk: Buffer) => frames.feed(chunk));
  });
  for (const listener of terminal.listeners) listener.said(0, Buffer.from("hello"));
  return said;
}

/** A line that has been taken: a key in it was. */
async function lineTo(path: string, terminal: string, from: number): Promise<Socket> {
  const line = lineSaying(path, lookAt(terminal, from));
  const typed = once(line, "data");
  line.write(toLineFrame(lineKinds.type, Uint8Array.of(0), Buffer.from("x")));
  await typed;
  return line;
}

describe("lines to the host", () => {
  test("[TM24] one that says what nobody can read is cut, and the others go on", async () => {
    const good = forgotten(0);
    const path = await served({ good });
    const other = await lineTo(path, "good", 0);
    await once(lineSaying(path, "{ no JSON"), "close");
    expect(await hears(other, good)).toBe("hello");
  });

  test("[TM24] one whose recording is gone is cut, and the others go on", async () => {
    const [good, bad] = [forgotten(0), forgotten(10)];
    const path = await served({ good, bad });
    const other = await lineTo(path, "good", 0);
    await once(lineSaying(path, lookAt("bad", 0)), "close");
    expect(await hears(other, good)).toBe("hello");
  });

  test("[TM24] what came behind something that was not taken is not taken either", async () => {
    const tried: string[] = [];
    const type: LinedTerminal["type"] = (bytes) => {
      tried.push(bytes.toString());
      return bytes.length < 5;
    };
    const path = await served({ full: { ...forgotten(0), type } });
    const line = lineSaying(path, lookAt("full", 0));
    const frames = ["a", "large", "b"].map((key) => toTypeFrame({ tag: key, bytes: Buffer.from(key) }));
    line.write(Buffer.concat(frames));
    await once(line, "close");
    expect(tried).toEqual(["a", "large"]);
  });

  test("[TM24] a terminal that speaks, or ends, is not held up by a line that fails", async () => {
    const bad = forgotten(10);
    const path = await served({ bad });
    const speaks = await lineTo(path, "bad", 10);
    const ends = await lineTo(path, "bad", 10);
    const cut = [once(speaks, "close"), once(ends, "close")];
    const [first, second] = [...bad.listeners];
    Object.assign(bad, { total: 20 });
    // It has missed something, and looks for it.
    first?.said(15, Buffer.from("hello"));
    second?.over();
    await Promise.all(cut);
    expect(bad.listeners.size).toBe(0);
  });

  test("[TM24] where nobody can listen there are no lines, and the host lives", async () => {
    const taken = join(temporaryFolder(), "t.sock");
    mkdirSync(join(taken, "folder"), { recursive: true });
    const none = (path: string): Server => serveLines(path, () => undefined);
    expect(none(taken).listening).toBe(false);
    const tooFar = none(join(temporaryFolder(), "missing", "t.sock"));
    await once(tooFar, "error");
    expect(tooFar.listening).toBe(false);
  });
});
