import "@xterm/xterm/css/xterm.css";
import { type ReactNode, useMemo, useRef, useState } from "react";
import type { Client } from "../../client/client.ts";
import type { OutputOf } from "../../protocol/operations.ts";
import type { Recorded } from "../../protocol/wire/terminal.ts";
import { useAsked } from "../live/use-asked.ts";
import { toCountdown } from "../model/format.ts";
import { playedAt, toRecording } from "../model/recording.ts";
import { toVisible } from "../model/visible-text.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel } from "../parts/panel.tsx";
import { Segmented } from "../parts/segmented.tsx";
import { goTo } from "../shell/address.ts";
import { useKeys } from "../shell/keys.ts";
import { usePlayer } from "./use-player.ts";
import "./terminal.css";
import "./recording.css";

const speeds = ["1", "2", "4", "8"] as const;
const stepMs = 5000;
/** What a page can hold without harm. */
const bytesMax = 32 * 1024 * 1024;
const linesMax = 50;

/** What was said in a terminal, as it was said: played, stopped, gone through and searched. */
export function RecordingPanel({ id, run }: { readonly id: string; readonly run: string | null }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [speed, setSpeed] = useState<(typeof speeds)[number]>("1");
  const [isShortened, setShortened] = useState(true);
  const { value, trouble } = useAsked({
    subject: `recording ${id}`,
    stamp: 0,
    ask: (client, signal) => readAll(client, id, signal),
  });
  const recording = useMemo(
    () =>
      value === null ? null : toRecording({ cols: value.head.cols, rows: value.head.rows }, value.events, isShortened),
    [value, isShortened],
  );
  const player = usePlayer(box, recording, Number(speed));
  const { atMs, isPlaying, toggle, seek } = player;
  const totalMs = recording?.totalMs ?? 0;
  const faster = (by: 1 | -1): void =>
    setSpeed(speeds[Math.max(0, Math.min(speeds.length - 1, speeds.indexOf(speed) + by))] ?? "1");
  useKeys({
    " ": toggle,
    ArrowLeft: () => seek(atMs - stepMs),
    ArrowRight: () => seek(atMs + stepMs),
    Home: () => seek(0),
    End: () => seek(totalMs),
    "<": () => faster(-1),
    ">": () => faster(1),
    Escape: () => goTo({ recording: null }),
  });
  return (
    <Panel
      name="terminal"
      title={`Recording ${id}`}
      meta={value === null ? undefined : value.head.argv.length === 0 ? "a shell" : value.head.argv.join(" ")}
      end={
        <div className="terminal-acts">
          <CopyButton text={`signalbox recording play ${id}`} label="Copy the command that plays it" />
          <CopyButton
            text={`signalbox recording export ${id}`}
            label="Copy the command that saves it as asciicast"
            icon="save"
          />
          <Button size="small" hotkey="Esc" onClick={() => goTo({ recording: null })}>
            Leave
          </Button>
        </div>
      }
    >
      <div className="player-bar" data-playing={isPlaying}>
        <Button size="small" look="primary" disabled={recording === null} onClick={toggle}>
          {isPlaying ? "Pause" : atMs >= totalMs && totalMs > 0 ? "Again" : "Play"}
        </Button>
        <input
          type="range"
          className="player-seek"
          aria-label="Where it is"
          aria-valuetext={`${toCountdown(atMs)} of ${toCountdown(totalMs)}`}
          min={0}
          max={Math.max(1, Math.round(totalMs))}
          step="any"
          value={Math.round(atMs)}
          onChange={({ target }) => seek(Number(target.value))}
        />
        <span className="num player-time">
          {toCountdown(atMs)} / {toCountdown(totalMs)}
        </span>
        <Segmented
          label="Speed"
          value={speed}
          options={speeds.map((each) => [each, `${each}×`] as const)}
          onChange={setSpeed}
        />
        <label className="player-short">
          <input type="checkbox" checked={isShortened} onChange={({ target }) => setShortened(target.checked)} />
          Shorten pauses
        </label>
        <Search
          id={id}
          run={run}
          onGo={(realMs, text) => {
            if (recording !== null) seek(playedAt(recording, realMs));
            // What was sought is on the screen once it is drawn.
            setTimeout(() => player.find(text, "previous"));
          }}
        />
      </div>
      {trouble === null ? null : (
        <p className="review-note" role="alert">
          {trouble}
        </p>
      )}
      {value?.isCut === true ? (
        <p className="more-row">It is longer than a page can hold; the command plays all of it.</p>
      ) : null}
      <div className="terminal-frame" role="group" aria-label={`What ${id} showed`}>
        <div ref={box} className="terminal-screen" data-recording={id} />
        {value === null && trouble === null ? <Awaited what="Reading the recording" /> : null}
      </div>
    </Panel>
  );
}

/** Lines that have a text in them; a click goes to when they were said. */
function Search(props: {
  readonly id: string;
  readonly run: string | null;
  readonly onGo: (realMs: number, text: string) => void;
}): ReactNode {
  const { id, run, onGo } = props;
  const [text, setText] = useState("");
  const sought = text.trim();
  const { value, isFresh } = useAsked<OutputOf<"terminal.search">>({
    subject: `search ${id}`,
    stamp: sought,
    ask: (client, signal) =>
      sought === ""
        ? Promise.resolve({ matches: [], more: false })
        : client.call("terminal.search", { text: sought, limit: 200, ...(run === null ? {} : { run }) }, { signal }),
  });
  const found = (value?.matches ?? []).filter(({ terminal }) => terminal === id).slice(0, linesMax);
  return (
    <span className="player-search" role="search">
      <label className="log-find">
        <Icon name="search" />
        <span className="sr">Find in what was said</span>
        <input
          type="search"
          placeholder="Find in it"
          value={text}
          maxLength={200}
          spellCheck={false}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            const [first] = found;
            if (event.key === "Enter" && first !== undefined) onGo(first.atMs, sought);
            if (event.key === "Escape") {
              setText("");
              event.currentTarget.blur();
            }
          }}
        />
      </label>
      {sought === "" ? null : (
        <ul className="player-found" aria-label="Lines that were found">
          {found.length === 0 ? <li className="dim">{isFresh ? "Nobody said that here" : "Looking …"}</li> : null}
          {found.map(({ atMs, line }, at) => (
            <li key={`${at} ${atMs}`}>
              <button type="button" onClick={() => onGo(atMs, sought)}>
                <span className="num dim">{toCountdown(atMs)}</span>
                <code>{toVisible(line)}</code>
              </button>
            </li>
          ))}
        </ul>
      )}
    </span>
  );
}

type Whole = {
  readonly head: OutputOf<"terminal.recording">["head"];
  readonly events: readonly Recorded[];
  readonly isCut: boolean;
};

async function readAll(client: Client, terminal: string, signal: AbortSignal): Promise<Whole> {
  const events: Recorded[] = [];
  let from = 0;
  for (;;) {
    const part = await client.call("terminal.recording", { terminal, from }, { signal });
    events.push(...part.events);
    if (part.next === null) return { head: part.head, events, isCut: false };
    if (part.next > bytesMax) return { head: part.head, events, isCut: true };
    from = part.next;
  }
}
