import { ringmasterErrors } from '../model/errors.ts';
import { type BeadsLine, readBeadsLine } from '../model/beads/line.ts';
import { recordEvent } from '../store/events.ts';
import { chosenProject } from '../store/projects.ts';
import { BeadsImport } from './import-lines.ts';
import type { ImportReport } from './import-report.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface ImportInput {
  readonly text: string;
  readonly source: string;
  readonly project?: string | undefined;
  readonly dryRun?: boolean;
  readonly strict?: boolean;
}

class DryRunEnds extends Error {
  readonly report: ImportReport;

  constructor(report: ImportReport) {
    super('a dry run changes nothing');
    this.report = report;
  }
}

/** All lines in one commit. A dry run does exactly the same and then takes it back. */
export async function importBeads(rm: Ringmaster, input: ImportInput): Promise<ImportReport> {
  if (input.text.includes('\0')) throw ringmasterErrors.IMPORT_REFUSED(`${input.source} is no text: it has NUL bytes`);
  const lines = input.text
    .split('\n')
    .map((line, index) => readBeadsLine(line, index + 1))
    .filter((line): line is BeadsLine => line !== undefined);
  try {
    return await rm.store.write(`import ${input.source}`, (tx) => {
      const call = callOf(rm);
      const project = chosenProject(tx, input.project).id;
      const report: ImportReport = {
        ...new BeadsImport({ tx, rm, call, project, source: input.source }).run(lines),
        project,
        lines: lines.length,
        dryRun: input.dryRun === true,
      };
      if (input.strict === true && report.problems.length > 0) throw refused(report);
      if (input.dryRun === true) throw new DryRunEnds(report);
      const { problems, ...counts } = report;
      const data = { source: input.source, ...counts, problems: problems.length };
      recordEvent(tx, call, { type: 'beads_imported', entity: 'project', id: project, data });
      return report;
    });
  } catch (error) {
    if (error instanceof DryRunEnds) return error.report;
    throw error;
  }
}

function refused({ problems }: ImportReport): Error {
  const [first] = problems;
  return ringmasterErrors.IMPORT_REFUSED(
    `${problems.length} lines cannot be taken as they are; the first is line ${first?.line}: ${first?.message}`,
    { details: { problems } },
  );
}
