import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { endedWithUs, TerminalHost } from "./terminal-host.ts";

test("[TM27] a host that does not answer is ended, and whoever waits for it hears that the terminals are lost", async () => {
  const host = begun();
  process.kill(host.pid ?? 0, "SIGSTOP");
  const asked = expectFault(host.ask({ op: "screen", terminal: "te_1", scrollback: 0 }), "terminal-lost");
  for (let times = 0; times < 2; times++) vi.advanceTimersByTime(silentMs);
  await asked;
  await host.gone;
  expect(host.isGone).toBe(true);
});

test("[TM27] one that takes long for what it is asked, and says that it is there, stays", async () => {
  const host = begun();
  const folder = join(makeTempFolder(), "te_1");
  await host.ask({ op: "open", terminal: "te_1", argv: ["sh"], cols: 80, rows: 24, folder });
  const ended = host.ask({ op: "end", terminal: "te_1" });
  for (let times = 0; times < 5; times++) {
    vi.advanceTimersByTime(silentMs);
    // What it was asked before this is answered by now.
    await host.ask({ op: "there" });
  }
  expect(await ended).toEqual({ totalBytes: 0 });
  expect(host.isGone).toBe(false);
});

test("[TM27] a host is started also where the machine's setpriv cannot have it end with its keeper", () => {
  const setpriv = join(makeTempFolder(), "setpriv");
  writeFileSync(setpriv, "#!/bin/sh\necho 'setpriv: unrecognized option: pdeathsig' >&2\nexit 1\n", { mode: 0o755 });
  expect(endedWithUs(setpriv)).toEqual({});
  expect(endedWithUs(join(makeTempFolder(), "none"))).toEqual({});
  expect(endedWithUs().execArgv?.slice(0, 2)).toEqual(["--pdeathsig", "KILL"]);
});

const silentMs = 60_000;

function begun(): TerminalHost {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const host = new TerminalHost(join(makeTempFolder(), "t.sock"), () => undefined, { silentMs });
  onTestFinished(async () => {
    vi.useRealTimers();
    if (host.pid !== undefined && !host.isGone) process.kill(host.pid, "SIGKILL");
    await host.gone;
  });
  return host;
}
