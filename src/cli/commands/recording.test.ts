import { describe, expect, onTestFinished, test, vi } from "vitest";
import { protocolError } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { tryCli } from "../testing/try-cli.ts";

type Sample = { readonly id: string; readonly agent: string; readonly ended: unknown; readonly heir: string | null };

/** Recordings of agents that are all called the same, of which one answer lists as many as it may. */
class Recorded {
  left: Sample[];

  constructor(...left: readonly Sample[]) {
    this.left = [...left];
  }

  get answers(): Record<string, unknown> {
    return {
      "terminal.list": ({ agent, limit }: { readonly agent: string; readonly limit: number }) => {
        const meant = this.left.filter((each) => agent === "shop-1" || each.agent === agent);
        if (meant.length === 0) return protocolError("not-found", { kind: "agent", id: agent });
        return { terminals: meant.slice(0, limit), views: [], nowMs: 0 };
      },
      "terminal.forget": ({ terminal }: { readonly terminal: string }) => {
        this.left = this.left.filter(({ id }) => id !== terminal);
        return {};
      },
    };
  }
}

const over = { ended: { why: "stopped" }, heir: null };

function recordings(agent: string, count: number): Sample[] {
  return Array.from({ length: count }, (_, index) => ({ id: `te_${agent}${index}`, agent, ...over }));
}

describe("recordings", () => {
  test("[TM23] all of an agent are removed, however many there are, and none that is open or coming back", async () => {
    const open = { id: "te_open", agent: "a_1", ended: null, heir: null };
    const awaited = { id: "te_awaited", agent: "a_1", ended: { why: "renewed" }, heir: null };
    const renewed = { id: "te_renewed", agent: "a_1", ended: { why: "renewed" }, heir: "te_open" };
    const recorded = new Recorded(open, awaited, renewed, ...recordings("a_1", limits.pageMax + 5));
    const { exitCode, stdout } = await tryCli(["recording", "remove", "--agent", "shop-1"], recorded.answers);
    expect(exitCode).toBe(0);
    expect(recorded.left.map(({ id }) => id)).toEqual(["te_open", "te_awaited"]);
    expect(stdout.trim().split("\n")).toHaveLength(limits.pageMax + 6);
    const none = await tryCli(["recording", "remove", "--agent", "shop-1"], recorded.answers);
    expect(none).toMatchObject({ exitCode: 0, stdout: "" });
    expect(none.stderr).toContain("There is no recording");
  });

  test("[TM23] where a name means several agents, none is removed until an id says which", async () => {
    const recorded = new Recorded(...recordings("a_2", 2), ...recordings("a_1", 2));
    const several = await tryCli(["recording", "remove", "--agent", "shop-1"], recorded.answers);
    expect(several.exitCode).toBe(2);
    expect(several.stderr).toContain("a_2, a_1");
    expect(recorded.left).toHaveLength(4);
    expect((await tryCli(["recording", "remove", "--agent", "a_1"], recorded.answers)).exitCode).toBe(0);
    expect(recorded.left.map(({ agent }) => agent)).toEqual(["a_2", "a_2"]);
    // Those of another one are not reached by the name either, once it is known whose they are.
    const many = new Recorded(...recordings("a_2", limits.pageMax), ...recordings("a_1", 1));
    await tryCli(["recording", "remove", "--agent", "shop-1"], many.answers);
    expect(many.left.map(({ agent }) => agent)).toEqual(["a_1"]);
  });

  test("[TM10] one that is not there leaves the person's screen as it is", async () => {
    const write = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
    onTestFinished(() => write.mockRestore());
    const missing = protocolError("not-found", { kind: "terminal", id: "te_zz" });
    const { exitCode, stderr } = await tryCli(["recording", "play", "te_zz"], { "terminal.recording": missing });
    const written = write.mock.calls.length;
    write.mockRestore();
    expect({ exitCode: exitCode > 0, written }).toEqual({ exitCode: true, written: 0 });
    expect(stderr).toContain("te_zz");
  });

  test("[TM5] [TM10] what is played asks a person's terminal nothing and leaves their clipboard alone, also where it was said in pieces", async () => {
    const said =
      "a\u001b[31mb\u001b]52;c;aGk=\u0007c\u001b[6nd\u001b[ce\u001b[21tf\u001bP$qm\u001b\\g\u001b]0;title\u0007日h";
    const events = [...Buffer.from(said)].map((byte) => ({ atMs: 0, base64: Buffer.from([byte]).toString("base64") }));
    const half = Math.floor(events.length / 2);
    const head = { argv: ["sh"], cols: 80, rows: 24, wallMs: 0 };
    const page = ({ from }: { readonly from: number }): unknown =>
      from === 0
        ? { head, events: events.slice(0, half), next: half, totalBytes: events.length }
        : { head, events: events.slice(half), next: null, totalBytes: events.length };
    const shown: Uint8Array[] = [];
    const write = vi.spyOn(process.stdout, "write").mockImplementation((bytes) => shown.push(Buffer.from(bytes)) > 0);
    onTestFinished(() => write.mockRestore());
    const { exitCode } = await tryCli(["recording", "play", "te_1"], { "terminal.recording": page });
    write.mockRestore();
    expect(exitCode).toBe(0);
    const text = Buffer.concat(shown).toString();
    expect(text).toContain("a\u001b[31mbcdefg\u001b]0;title\u0007日h");
  });
});
