import { type RefObject, useEffect, useRef, useState } from "react";
import { type Recording, shownAt } from "../model/recording.ts";
import { copyText } from "../parts/command.tsx";
import { Screen } from "./screen.ts";

export type Player = {
  readonly atMs: number;
  readonly isPlaying: boolean;
  readonly toggle: () => void;
  readonly seek: (atMs: number) => void;
  readonly find: (text: string, direction: "next" | "previous") => boolean;
};

const nothing = new Uint8Array();
/** Far into a long recording is drawn in several goes, so that the page stays awake. */
const passBytes = 512 * 1024;

/** Plays a recording on a screen in the box. Going back draws it from its beginning again: a screen cannot unsay anything. */
export function usePlayer(box: RefObject<HTMLDivElement | null>, recording: Recording | null, speed: number): Player {
  const screen = useRef<Screen | null>(null);
  const drawn = useRef<{ readonly of: Recording | null; count: number }>({ of: null, count: 0 });
  const [state, setState] = useState({ atMs: 0, isPlaying: true });
  const [pass, setPass] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const own = new Screen(element, {
      readOnly: true,
      onType: () => undefined,
      onLeaveKey: () => undefined,
      onCopy: (text) => void copyText(text),
      onOverrun: () => undefined,
    });
    screen.current = own;
    drawn.current = { of: null, count: 0 };
    return () => {
      own.dispose();
      screen.current = null;
    };
  }, [box]);
  const totalMs = recording?.totalMs ?? 0;
  const atMs = Math.min(state.atMs, totalMs);
  const isPlaying = state.isPlaying && recording !== null && atMs < totalMs;
  useEffect(() => {
    if (recording === null || screen.current === null) return undefined;
    const count = shownAt(recording, atMs);
    let bytesLeft = passBytes;
    if (drawn.current.of !== recording || count < drawn.current.count) {
      screen.current.show(nothing, recording.size);
      drawn.current = { of: recording, count: 0 };
    }
    for (const { bytes, size } of recording.frames.slice(drawn.current.count, count)) {
      if (size !== null) screen.current.resize(size);
      if (bytes !== null) screen.current.show(bytes, undefined);
      drawn.current.count += 1;
      bytesLeft -= bytes?.length ?? 0;
      if (bytesLeft <= 0) break;
    }
    if (drawn.current.count >= count) return undefined;
    const next = requestAnimationFrame(() => setPass(pass + 1));
    return () => cancelAnimationFrame(next);
  }, [recording, atMs, pass]);
  useEffect(() => {
    if (!isPlaying) return undefined;
    let last = performance.now();
    let frame = 0;
    const step = (now: number): void => {
      const passedMs = (now - last) * speed;
      last = now;
      setState((old) => ({ ...old, atMs: Math.min(totalMs, old.atMs + passedMs) }));
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, speed, totalMs]);
  return {
    atMs,
    isPlaying,
    toggle: () => setState(atMs >= totalMs ? { atMs: 0, isPlaying: true } : { atMs, isPlaying: !isPlaying }),
    seek: (to) => setState((old) => ({ ...old, atMs: Math.max(0, Math.min(totalMs, to)) })),
    find: (text, direction) => screen.current?.find(text, direction) ?? false,
  };
}
