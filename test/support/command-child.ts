// A process that starts a command and is then killed: `node command-child.ts FOLDER ARGV…`.

import { runCommand } from "../../src/node/supervisor/command.ts";

const [folder = "", ...argv] = process.argv.slice(2);
const env = { PATH: process.env["PATH"] ?? "" };
await runCommand({ folder, argv, cwd: process.cwd(), env }, new AbortController().signal);
