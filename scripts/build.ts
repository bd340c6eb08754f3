// `npm run build`: what is made of the sources and kept in dist/. `npm start` and `npm test` see to it by themselves.

import { buildConsole } from "./build-console.ts";
import { buildProgram } from "./build-program.ts";

await buildConsole();
await buildProgram();
