// The last answers of a run's door, for whoever asked under a name and lost the answer with the daemon. They only have to
// outlive the daemon: whoever asks again has outlived the machine.

import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { readJson } from "../tool-host/act-result.ts";
import type { ToolAnswer } from "./model-door.ts";

type Kept = { readonly request: string; readonly answer: ToolAnswer };

/** An assistant asks for several things at once, and loses at most these. */
const answersMax = 8;

export class KeptAnswers {
  readonly #file: string;
  #kept: readonly Kept[] = [];
  #line: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  async load(): Promise<void> {
    this.#kept = (await readJson<Kept[]>(this.#file)) ?? [];
  }

  find(request: string): ToolAnswer | undefined {
    return this.#kept.find((each) => each.request === request)?.answer;
  }

  /** Resolves when the answer may be given away. On a full disk it is given away all the same: what was done is done. */
  keep(request: string, answer: ToolAnswer): Promise<void> {
    this.#kept = [...this.#kept, { request, answer }].slice(-answersMax);
    const text = JSON.stringify(this.#kept);
    const written = this.#line.then(async () => {
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
      await writeFile(`${this.#file}.new`, text, { mode: 0o600 });
      await rename(`${this.#file}.new`, this.#file);
    });
    const line = written.catch(() => undefined);
    this.#line = line;
    return line;
  }
}
