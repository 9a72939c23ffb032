import { type Issue, listIssues } from '../adapters/github.ts';
import { checkTitle, textList } from '../model/texts.ts';
import type { IssuesInput, IssuesReport } from '../operations/maintenance.ts';
import { liveAttemptOfTask } from '../store/attempts.ts';
import { type Call, recordEvent } from '../store/events.ts';
import type { Tx } from '../store/open.ts';
import { chosenProject } from '../store/projects.ts';
import { taskByReference } from '../store/tasks.ts';
import { writeOrPreview } from './dry-run.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';
import { editOne, insertNewTask } from './tasks.ts';

type Change = 'created' | 'updated' | 'unchanged' | 'skipped';

/** Imports all issues in one commit. The address of an issue identifies its task in later imports. */
export async function importIssues(
  rm: Ringmaster,
  { repository, project, dry_run = false }: IssuesInput,
): Promise<IssuesReport> {
  const issues = await listIssues(repository);
  return writeOrPreview(rm, { note: `import ${repository}`, isDryRun: dry_run }, (tx) => {
    const call = callOf(rm);
    const { id } = chosenProject(tx, project);
    const counts: Record<Change, number> = { created: 0, updated: 0, unchanged: 0, skipped: 0 };
    // Oldest first, so that tasks are created in the order of the issues.
    for (const issue of issues.toSorted((one, other) => one.number - other.number)) {
      counts[importIssue(tx, rm, call, id, issue)] += 1;
    }
    recordEvent(tx, call, { type: 'issues_imported', entity: 'project', id, data: { repository, ...counts } });
    return { project: id, ...counts, dry_run };
  });
}

function importIssue(tx: Tx, rm: Ringmaster, call: Call, project: string, issue: Issue): Change {
  const { title, body, url, state } = issue;
  const labels = [...new Set(issue.labels.map(({ name }) => name))].sort();
  const before = taskByReference(tx, project, url);
  const isDone = state === 'CLOSED';
  const shared = { title: checkTitle(title), description: body, labels };
  if (before === undefined) {
    insertNewTask(tx, rm, call, { ...shared, project, external_ref: url, is_done: isDone });
    return 'created';
  }
  if (before.deleted_at !== null || liveAttemptOfTask(tx, before.id) !== undefined) return 'skipped';
  const isSame =
    before.title === shared.title &&
    (before.description ?? '') === body &&
    JSON.stringify(textList(before.labels).toSorted()) === JSON.stringify(labels);
  const isClosing = isDone && before.status !== 'done';
  if (isSame && !isClosing) return 'unchanged';
  const status = isClosing ? ({ status: 'done', reason: `${url} is closed` } as const) : {};
  editOne(tx, call, { task: before.id, ...(isSame ? {} : shared), ...status });
  return 'updated';
}
