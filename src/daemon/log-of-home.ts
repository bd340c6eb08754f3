// The log of a home, looked at from outside: with or without a daemon that writes it.

import {
  exportLog as exportFrom,
  verifyLog as verifyAt,
  type ExportRange,
  type LogReport,
} from "../adapters/store/log-tools.ts";
import { homePaths } from "../protocol/home.ts";

export function verifyLog(home: string): LogReport {
  return verifyAt(homePaths(home).log);
}

/** One JSON line per event. */
export function exportLog(home: string, range: ExportRange): Generator<string, void, void> {
  return exportFrom(homePaths(home).log, range);
}
