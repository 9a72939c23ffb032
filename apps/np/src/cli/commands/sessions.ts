import type { CommandContext } from '@holdfast/cli';
import { progressOf, type SessionSummary } from '../../model/plan.ts';
import { listSessions } from '../../service/list-sessions.ts';
import { type NpContext, withNp } from '../with-np.ts';

interface Input {
  readonly options: NpContext['options'] & {
    readonly state: 'active' | 'archived' | 'all';
    readonly limit: number;
    readonly cursor: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out, note } = context;
  const { items, cursor } = await withNp(context, (np) => listSessions(np, options));
  out.result({ sessions: items.map(summaryData), cursor: cursor ?? null }, (page) => {
    if (items.length === 0) page.line("No sessions. Use 'np s' to start one.");
    else page.table(items, COLUMNS);
  });
  if (cursor !== undefined) note(`There are more: --cursor ${cursor}`);
}

function summaryData({ session, goal, counts }: SessionSummary): Readonly<Record<string, unknown>> {
  const { pending, in_progress, completed, failed, cancelled } = counts;
  return { ...session, goal: goal?.title ?? null, counts: { pending, in_progress, completed, failed, cancelled } };
}

const COLUMNS = [
  { heading: 'SESSION', value: ({ session }: SessionSummary) => session.sid },
  { heading: 'STATE', value: ({ session }: SessionSummary) => session.state },
  { heading: 'DONE', value: ({ counts }: SessionSummary) => doneOf(counts), align: 'right' },
  { heading: 'CHANGED', value: ({ session }: SessionSummary) => session.last_updated_at.slice(0, 16) },
  { heading: 'DIRECTORY', value: ({ session }: SessionSummary) => session.dir_path, flexible: true },
  { heading: 'GOAL', value: ({ goal }: SessionSummary) => goal?.title ?? '', flexible: true },
] as const;

function doneOf(counts: SessionSummary['counts']): string {
  const { done, total } = progressOf(counts);
  return `${done}/${total}`;
}
