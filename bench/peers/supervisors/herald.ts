// A pipe with a name, by which small processes say that they run: the same for everybody who starts them, and the moment at
// which it is heard depends on nobody's own books.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { Socket } from "node:net";

export class Herald {
  readonly #socket: Socket;
  #heard = 0;
  #wake = Promise.withResolvers<void>();

  private constructor(file: string) {
    // Also for writing: else it would end whenever nobody writes.
    this.#socket = new Socket({ fd: fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_NONBLOCK) });
    this.#socket.on("data", (bytes: Buffer) => {
      this.#heard += bytes.length;
      this.#wake.resolve();
      this.#wake = Promise.withResolvers();
    });
  }

  static make(file: string): Herald {
    execFileSync("mkfifo", ["-m", "666", file]);
    return new Herald(file);
  }

  /** One that somebody else has made. */
  static open(file: string): Herald {
    return new Herald(file);
  }

  /** How many have come up so far. */
  get heard(): number {
    return this.#heard;
  }

  /** Resolves when so many have. */
  async until(count: number): Promise<void> {
    while (this.#heard < count) await this.#wake.promise;
  }

  close(): void {
    this.#socket.destroy();
  }
}
