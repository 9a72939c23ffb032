import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { dataOf, run } from '../../test/command.ts';
import { git, makeProject, runOnce } from '../../test/running.ts';

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly status: string;
}

function importPlan(folder: string, ...lines: string[]): Map<string, string> {
  writeFileSync(join(folder, 'PLAN.md'), lines.join('\n'));
  const { entries } = dataOf<{ entries: Listed[] }>(folder, 'import', '--from-markdown', 'PLAN.md');
  return new Map(entries.map(({ id, title }) => [title, id]));
}

const statuses = (folder: string, type: string): Record<string, string> =>
  Object.fromEntries(dataOf<Listed[]>(folder, 'task', 'list', '-t', type).map(({ title, status }) => [title, status]));

describe('epics of a plan', () => {
  it('close when the workers have done their parts, which lets dependent tasks start', async () => {
    const folder = makeProject();
    const ids = importPlan(
      folder,
      '# Circus',
      '## Tent',
      '- [ ] Pole',
      '  DO edit pole.txt pole',
      '- [ ] Canvas',
      '  DO edit canvas.txt canvas',
      '## Opening',
      'Depends on Tent.',
      '- [ ] Ticket',
      '  DO edit ticket.txt ticket',
    );
    await runOnce(folder);
    expect(statuses(folder, 'epic')).toEqual({ Circus: 'done', Tent: 'done', Opening: 'done' });
    const files = git(folder, 'ls-tree', '-r', '--name-only', `ringmaster/${ids.get('Ticket')}-a1`);
    expect(files.split('\n')).toEqual(['a.txt', 'canvas.txt', 'pole.txt', 'ticket.txt']);
  });

  it('ask a person when a part was given up', async () => {
    const folder = makeProject({ run: 'max_iterations = 1' });
    const ids = importPlan(folder, '# Tent', '- [ ] Pole', '  DO edit pole.txt pole', '- [ ] Flag', '  DO exit 1');
    run(folder, ['task', 'edit', ids.get('Flag') ?? '', '--max-attempts', '1']);
    await runOnce(folder);
    const open = (): { task_id: string; about_id: string; context: string }[] => dataOf(folder, 'inquiries');
    expect(open()).toMatchObject([{ about_id: ids.get('Flag') }]);
    run(folder, ['answer', open()[0]?.task_id ?? '', 'give it up']);
    expect(open()).toMatchObject([{ about_id: ids.get('Tent'), context: `${ids.get('Flag')} failed: Flag` }]);
    expect(statuses(folder, 'epic')).toEqual({ Tent: 'ready' });
    run(folder, ['answer', open()[0]?.task_id ?? '', 'close it']);
    expect(statuses(folder, 'epic')).toEqual({ Tent: 'done' });
    expect(open()).toEqual([]);
  });
});
