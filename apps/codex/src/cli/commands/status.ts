import { toTimestamp } from '@holdfast/base';
import { type CommandContext, type Page, style } from '@holdfast/cli';

import { failureOf } from '../../model/failure.ts';
import type { Notebook } from '../../model/notebook.ts';
import type { Codex } from '../../service/codex.ts';
import { metrics } from '../../service/metrics.ts';
import { knownProblems } from '../../service/problems.ts';
import { namedNotebook } from '../../store/notebooks.ts';
import type { Tx } from '../../store/open.ts';
import type { ProblemRow } from '../../store/problems.ts';
import { requireFolder } from '../../watch/require-folder.ts';
import { type CliContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly options: CliContext['options'];
}

interface Standing {
  /** Why nothing is committed at the moment. */
  readonly problem: string | null;
  /** Paths that the user has staged, and that wait for their commit. */
  readonly held: readonly string[];
}

/** What keeps whoever works on the notebook from it. */
type Trouble = Pick<ProblemRow, 'source' | 'code' | 'message' | 'since'>;

export async function run(context: CommandContext<Input>): Promise<void> {
  const { notebook } = context.options;
  await withCodex(context, async (codex) => {
    const { reader } = codex.store;
    const only = notebook === undefined ? undefined : namedNotebook(reader, notebook);
    const standing = new Map<number, Standing>();
    for (const { notebook_id, git_pending } of metrics(codex, only).notebooks) {
      if (git_pending > 0) standing.set(notebook_id, await standingOf(codex, notebook_id));
    }
    const found = metrics(codex, only);
    const known = new Map(codex.notebooks().map((each) => [each.id, each]));
    const notebooks = found.notebooks.map((each) => ({
      ...each,
      name: known.get(each.notebook_id)?.name ?? '',
      reconciled_at: known.get(each.notebook_id)?.reconciled_at ?? null,
      problem: standing.get(each.notebook_id)?.problem ?? null,
      held: standing.get(each.notebook_id)?.held ?? [],
      problems: troublesOf(reader, known.get(each.notebook_id)),
    }));
    const data = { ...found, notebooks };
    context.out.result(data, (page) => show(page, data));
  });
}

/** Every command commits what waits before it ends; what that meets is what is in the way. */
async function standingOf({ git }: Codex, notebookId: number): Promise<Standing> {
  let problem: string | null = null;
  try {
    await git.flush(notebookId);
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  return { problem, held: problem === null ? (await git.status(notebookId)).held : [] };
}

/** What a server that runs has met, and what a look at the folder tells without one. */
function troublesOf(tx: Tx, notebook: Notebook | undefined): readonly Trouble[] {
  if (notebook === undefined) return [];
  const known = knownProblems(tx)
    .filter(({ notebook_id }) => notebook_id === notebook.id)
    .map(({ source, code, message, since }) => ({ source, code, message, since }));
  if (known.length > 0) return known;
  try {
    requireFolder(tx, notebook);
    return [];
  } catch (error) {
    const { code, message } = failureOf(error);
    return [{ source: 'folder', code, message, since: toTimestamp(Date.now()) }];
  }
}

type Shown = Omit<ReturnType<typeof metrics>, 'notebooks'> & {
  readonly notebooks: readonly (ReturnType<typeof metrics>['notebooks'][number] &
    Standing & {
      readonly name: string;
      readonly reconciled_at: string | null;
      readonly problems: readonly Trouble[];
    })[];
};

function show(page: Page, found: Shown): void {
  page.fields([
    [
      'waiting',
      found.pending === 0 ? '0' : `${found.pending}, the oldest for ${found.oldest_pending_seconds.toFixed(1)} s`,
    ],
    ['under way', String(found.processing)],
    ['failed', found.dead === 0 ? '0' : `${found.dead}, ${found.failed_24h} of them in the last day`],
    ['done', `${found.completed_24h} in the last day`],
  ]);
  page.table(found.notebooks, [
    { heading: 'NOTEBOOK', value: ({ name }) => name, flexible: true },
    { heading: 'WAITING', value: ({ pending }) => String(pending), align: 'right' },
    { heading: 'FAILED', value: ({ dead }) => String(dead), align: 'right' },
    { heading: 'NOT COMMITTED', value: ({ git_pending }) => String(git_pending), align: 'right' },
    { heading: 'COMPARED', value: ({ reconciled_at }) => reconciled_at ?? 'never' },
  ]);
  for (const { name, problem, held, problems } of found.notebooks) {
    if (problem !== null) page.line(style.yellow(`${name}: nothing is committed: ${problem}`));
    for (const path of held) page.line(style.yellow(`${name}: ${path} is staged, and waits for your commit`));
    for (const { source, code, message } of problems) {
      if (message !== problem) page.line(style.yellow(`${name}: ${source}: ${message} (${code})`));
    }
  }
}
