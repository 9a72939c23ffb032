/** Summary at the end of a run. */

function detailOf({ counts, detail }) {
  if (counts === undefined) return detail;
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  return [`${counts.passed} passed, ${counts.failed} failed${skipped}`, detail]
    .filter((text) => text !== '')
    .join('; ');
}

export function summaryTable(outcomes) {
  const rows = [
    ['step', 'result', 'seconds', ''],
    ...outcomes.map((outcome) => [outcome.name, outcome.state, outcome.seconds.toFixed(1), detailOf(outcome)]),
  ];
  return rows
    .map(([name = '', state = '', seconds = '', detail = '']) =>
      `${name.padEnd(10)} ${state.padEnd(14)} ${seconds.padStart(7)}  ${detail}`.trimEnd(),
    )
    .join('\n');
}

/** Summarises the run in one line: how many tests passed, or which step failed.*/
export function lastLine(outcomes) {
  const failed = outcomes.find((outcome) => outcome.state === 'failed');
  if (failed !== undefined) return `failed: ${failed.name}`;
  const lanes = outcomes.flatMap((outcome) => outcome.counts ?? []);
  if (lanes.length === 0) return 'all checks passed';
  const repeated = outcomes.flatMap((outcome) => outcome.repeated ?? []).length;
  const passed = `${lanes.reduce((sum, lane) => sum + lane.passed, 0)} passed, 0 failed`;
  return repeated === 0 ? passed : `${passed}, ${repeated} of them only at the second attempt`;
}
