// Before any test runs.

export { buildProgram as setup } from "../../scripts/build-program.ts";
