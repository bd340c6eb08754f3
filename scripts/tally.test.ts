import { expect, test } from "vitest";
import { addVitestReport, type Tally, toClosingLine } from "./tally.ts";

const fresh = (): Tally => ({ passed: 3, failed: 0, skipped: 0 });
const report = (numbers: object, testResults: object[] = []): string =>
  JSON.stringify({
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    ...numbers,
    testResults,
  });

test("counts are added up, and skipped ones are named only when there are any", () => {
  const tally = fresh();
  addVitestReport(tally, { exitCode: 0, report: report({ numPassedTests: 40 }) });
  expect(toClosingLine(tally)).toBe("43 passed, 0 failed");
  addVitestReport(tally, { exitCode: 1, report: report({ numFailedTests: 2, numPendingTests: 1 }) });
  expect(toClosingLine(tally)).toBe("43 passed, 2 failed, 1 skipped");
});

test("a file that does not load is a failure", () => {
  const tally = fresh();
  addVitestReport(tally, { exitCode: 1, report: report({}, [{ status: "failed", assertionResults: [] }]) });
  expect(tally.failed).toBe(1);
});

test("unknown is never success", () => {
  const silent = fresh();
  addVitestReport(silent, { exitCode: 1, report: report({ numPassedTests: 5 }) });
  expect(silent.failed).toBe(1);
  const gone = fresh();
  addVitestReport(gone, { exitCode: 0, report: undefined });
  expect(gone.failed).toBe(1);
});
