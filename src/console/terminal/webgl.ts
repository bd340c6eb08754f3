// Draws terminals by the graphics processor where there is one: several of them, or one that floods, cost the page far less.
// It comes after the terminal is there. Where it cannot be had, is taken away, or draws nothing, the terminal draws as before.

import type { IDisposable, Terminal } from "@xterm/xterm";
import { readPreference } from "../shell/preferences.ts";

/** Frames with something to be seen that may be empty before it is given up: the first may come before the letters. */
const emptyFramesMax = 3;

export function drawByWebgl(terminal: Terminal, onRenderer: (name: "webgl" | "dom") => void): () => void {
  let isGone = false;
  let end = (): void => undefined;
  const load = async (): Promise<void> => {
    const { WebglAddon } = await import("@xterm/addon-webgl");
    if (isGone) return;
    const addon = new WebglAddon();
    const giveUp = (): void => {
      end();
      end = () => undefined;
      onRenderer("dom");
    };
    addon.onContextLoss(giveUp);
    terminal.loadAddon(addon);
    const watch = watchFrames(terminal, giveUp);
    end = () => {
      watch.dispose();
      addon.dispose();
    };
    onRenderer("webgl");
  };
  // On a phone there is one terminal, of few letters, and its processor is often shared with whatever else is open.
  const isPhone = matchMedia("(pointer: coarse)").matches;
  if (isPhone || readPreference("terminal-renderer") === "dom") onRenderer("dom");
  // Without a context it cannot be loaded, and nothing is lost.
  else load().catch(() => onRenderer("dom"));
  return () => {
    isGone = true;
    end();
  };
}

/** Some processors take all that is drawn and show nothing of it, from the beginning or since the window is another size. */
function watchFrames(terminal: Terminal, onEmpty: () => void): IDisposable {
  let empty = 0;
  let seenAt = "";
  return terminal.onRender(() => {
    const gl = contextOf(terminal);
    const size = `${gl?.drawingBufferWidth} ${gl?.drawingBufferHeight}`;
    if (size === seenAt || !hasText(terminal)) return;
    if (gl !== null && isDrawn(gl)) {
      seenAt = size;
      empty = 0;
      return;
    }
    empty += 1;
    // Not from within a frame: what is asked for there is taken for what was just drawn.
    if (empty < emptyFramesMax) requestAnimationFrame(() => terminal.refresh(0, terminal.rows - 1));
    else onEmpty();
  });
}

function contextOf(terminal: Terminal): WebGL2RenderingContext | null {
  for (const canvas of terminal.element?.querySelectorAll("canvas") ?? []) {
    const gl = canvas.getContext("webgl2");
    if (gl !== null) return gl;
  }
  return null;
}

function hasText(terminal: Terminal): boolean {
  const { active } = terminal.buffer;
  for (let row = 0; row < terminal.rows; row++) {
    const line = active.getLine(active.viewportY + row);
    if (line !== undefined && line.translateToString(true).trim() !== "") return true;
  }
  return false;
}

/** Whether there is more than one colour on it. It can be read only in the frame in which it was drawn. */
function isDrawn(gl: WebGL2RenderingContext): boolean {
  const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
  if (gl.isContextLost() || width === 0 || height === 0) return false;
  const pixels = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const words = new Uint32Array(pixels.buffer);
  return words.some((word) => word !== words[0]);
}
