// Counts for the closing line of `npm test`.

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

/** Adds what vitest found. Unknown is never success: a run that failed without a failed test counts as one failure. */
export function addVitestReport(tally: Tally, result: { exitCode: number; report: string | undefined }): void {
  let failed = 0;
  if (result.report !== undefined) {
    const report = JSON.parse(result.report) as VitestReport;
    tally.passed += report.numPassedTests;
    tally.skipped += report.numPendingTests + report.numTodoTests;
    // A file that does not even load has no tests to fail, and would otherwise vanish from the count.
    const broken = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
    failed = report.numFailedTests + broken.length;
  }
  if (failed === 0 && (result.exitCode !== 0 || result.report === undefined)) failed = 1;
  tally.failed += failed;
}

export function toClosingLine(tally: Tally): string {
  const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped` : "";
  return `${tally.passed} passed, ${tally.failed} failed${skipped}`;
}
