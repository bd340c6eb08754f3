/** A WebSocket text frame, whole: made once and written to every reader that gets the same. */
export function makeTextFrame(text: string): Buffer {
  const size = Buffer.byteLength(text);
  const headSize = size < 126 ? 2 : size < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headSize + size);
  frame[0] = 0x81;
  if (headSize === 2) {
    frame[1] = size;
  } else if (headSize === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(size, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(size), 2);
  }
  frame.write(text, headSize);
  return frame;
}
