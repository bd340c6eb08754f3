// How many bytes a file may have to be work of its run; what has more is scratch (LD57). A person may say so for the machine.

import { Fault } from "../../base/fault.ts";
import { sizePattern, toBytes } from "../../protocol/template/size.ts";

const landBytesVariable = "SIGNALBOX_FILE_BYTES_MAX";

/** As a number of bytes, or with a unit; undefined where nobody has said anything. */
export function readLandBytesMax(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const wish = env[landBytesVariable];
  if (wish === undefined || wish === "") return undefined;
  const bytes = sizePattern.test(wish) ? toBytes(wish) : /^\d+$/.test(wish) ? Number(wish) : 0;
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  const message = `${landBytesVariable} is "${wish}"; it may be a size such as 512MiB or 1.5GiB, or a number of bytes`;
  throw new Fault("bad-setting", { retry: "never", message });
}
