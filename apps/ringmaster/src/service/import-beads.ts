import { ringmasterErrors } from '../model/errors.ts';
import { type BeadsLine, readBeadsLine } from '../model/beads/line.ts';
import { recordEvent } from '../store/events.ts';
import { chosenProject } from '../store/projects.ts';
import { BeadsImport, type ImportReport } from './import-lines.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface ImportInput {
  readonly content: string;
  readonly source: string;
  readonly project?: string | undefined;
  readonly dry_run?: boolean | undefined;
  readonly strict?: boolean | undefined;
}

class DryRunEnds extends Error {
  readonly report: ImportReport;

  constructor(report: ImportReport) {
    super('a dry run changes nothing');
    this.report = report;
  }
}

/** Imports all lines in one commit. A dry run does the same and rolls back. */
export async function importBeads(rm: Ringmaster, input: ImportInput): Promise<ImportReport> {
  if (input.content.includes('\0'))
    throw ringmasterErrors.IMPORT_REFUSED(`${input.source} is not text: it has NUL bytes`);
  const lines = input.content
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
        dry_run: input.dry_run === true,
      };
      if (input.strict === true && report.problems.length > 0) throw refused(report);
      if (input.dry_run === true) throw new DryRunEnds(report);
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
    `${problems.length} lines cannot be imported unchanged; the first is line ${first?.line}: ${first?.message}`,
    { details: { problems } },
  );
}
