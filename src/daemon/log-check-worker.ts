// The thread of a LogCheck: reads a log to its end and says what is wrong with it.

import { parentPort, workerData } from "node:worker_threads";
import { findDamage } from "../adapters/store/log-tools.ts";

parentPort?.postMessage(findDamage(String(workerData)), []);
