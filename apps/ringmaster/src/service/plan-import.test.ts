import { describe, expect, it } from 'vitest';

import { openWithProject } from '../../test/harness.ts';
import { existingTask, readyIds } from '../store/tasks.ts';
import { importPlan } from './plan-import.ts';
import type { Ringmaster } from './ringmaster.ts';
import { editTask, showTask } from './tasks.ts';

const plan = `# Sign in

Why: people ask for it.

## 1. Storage
- [x] Choose a database
- [ ] Write the schema (depends on: Choose a database)
  Keep it small.
  \`\`\`
  - [ ] not an item
  \`\`\`

## 2. Pages, forms and mail
Depends on 1.
1. [ ] Form
2. [ ] Mail — depends on 1
3. [ ] Review
   - depends on Form, Mail

## Announce it
Depends on: **Pages, forms and mail** and Storage
`;

const source = 'PLAN.md';

function tree(rm: Ringmaster): unknown[] {
  return rm.store.reader.all(
    `SELECT t.type, t.title, t.status, p.title AS part_of FROM tasks t LEFT JOIN tasks p ON p.id = t.parent_id ORDER BY t.rowid`,
  );
}

function links(rm: Ringmaster): string[] {
  return rm.store.reader
    .all<{ link: string }>(
      `SELECT c.title || ' → ' || p.title AS link FROM dependencies d JOIN tasks c ON c.id = d.child_id
       JOIN tasks p ON p.id = d.parent_id ORDER BY c.rowid, p.rowid`,
    )
    .map(({ link }) => link);
}

describe('importing a Markdown plan', () => {
  it('makes epics of entries with parts, tasks of the others, and dependencies by title or number', async () => {
    const rm = await openWithProject();
    const report = await importPlan(rm, { content: plan, source });
    expect(report).toMatchObject({ created: 9, completed: 0, unchanged: 0, links: 7, problems: [], dry_run: false });
    expect(tree(rm)).toEqual([
      { type: 'epic', title: 'Sign in', status: 'ready', part_of: null },
      { type: 'epic', title: '1. Storage', status: 'ready', part_of: 'Sign in' },
      { type: 'task', title: 'Choose a database', status: 'done', part_of: '1. Storage' },
      { type: 'task', title: 'Write the schema', status: 'ready', part_of: '1. Storage' },
      { type: 'epic', title: '2. Pages, forms and mail', status: 'ready', part_of: 'Sign in' },
      { type: 'task', title: 'Form', status: 'ready', part_of: '2. Pages, forms and mail' },
      { type: 'task', title: 'Mail', status: 'ready', part_of: '2. Pages, forms and mail' },
      { type: 'task', title: 'Review', status: 'ready', part_of: '2. Pages, forms and mail' },
      { type: 'task', title: 'Announce it', status: 'ready', part_of: 'Sign in' },
    ]);
    expect(links(rm)).toEqual([
      'Write the schema → Choose a database',
      '2. Pages, forms and mail → 1. Storage',
      'Mail → Form',
      'Review → Form',
      'Review → Mail',
      'Announce it → 1. Storage',
      'Announce it → 2. Pages, forms and mail',
    ]);
    const schema = report.entries.find(({ title }) => title === 'Write the schema');
    expect(showTask(rm, { task: schema?.id ?? '' }).task.description).toBe(
      'Keep it small.\n  ```\n  - [ ] not an item\n  ```',
    );
    expect(readyIds(rm.store.reader)).toEqual([schema?.id]);
  });

  it('shows the same tree in a dry run and changes nothing', async () => {
    const rm = await openWithProject();
    const { entries, ...report } = await importPlan(rm, { content: plan, source, dry_run: true });
    expect(report).toMatchObject({ created: 9, dry_run: true });
    expect(entries[3]).toEqual({
      line: 7,
      depth: 2,
      id: null,
      type: 'task',
      title: 'Write the schema',
      change: 'created',
      is_done: false,
      depends_on: ['Choose a database'],
    });
    expect(tree(rm)).toEqual([]);
  });

  it('adds only what is new when it is repeated, even if tasks were renamed or moved here', async () => {
    const rm = await openWithProject();
    const { entries } = await importPlan(rm, { content: plan, source });
    const id = (title: string): string => entries.find((entry) => entry.title === title)?.id ?? '';
    await editTask(rm, { task: id('Form'), title: 'Sign-in form', parent: null });
    expect(await importPlan(rm, { content: plan, source })).toMatchObject({ created: 0, unchanged: 9, links: 0 });
    const later = plan.replace('- [ ] Write', '- [x] Write').replace('3. [ ] Review', '3. [ ] Test\n4. [ ] Review');
    expect(await importPlan(rm, { content: later, source })).toMatchObject({ created: 1, completed: 1, unchanged: 8 });
    expect(existingTask(rm.store.reader, id('Write the schema')).status).toBe('done');
    expect(existingTask(rm.store.reader, id('Form')).title).toBe('Sign-in form');
  });

  it('imports nothing if a line has a problem, and names every such line', async () => {
    const rm = await openWithProject();
    const content = [
      'Stray text',
      '# Plan',
      '- [ ] A (depends on Nothing like this)',
      '- [ ] B (depends on C)',
      '- [ ] C (depends on B)',
      '- [ ] a',
      '- [ ] D (depends on Plan)',
      '## One',
      '- [ ] Same',
      '## Two',
      '- [ ] Same',
      '## Three',
      'Depends on Same.',
    ].join('\n');
    const { problems } = await importPlan(rm, { content, source, dry_run: true });
    expect(problems).toEqual([
      { line: 1, message: 'this text comes before the first heading or item' },
      { line: 3, message: 'no heading or item is called "Nothing like this"' },
      { line: 5, message: '"C" and "B" would wait for each other' },
      { line: 6, message: 'line 3 has the same title in the same place; give each its own title' },
      { line: 7, message: '"D" cannot depend on "Plan", which it is part of' },
      { line: 13, message: '"Same" can mean lines 9, 11' },
    ]);
    await expect(importPlan(rm, { content, source })).rejects.toThrow(
      'PLAN.md cannot be imported. line 1: this text comes before the first heading or item; line 3: no heading',
    );
    const circle = '- [ ] B (depends on C)\n- [ ] C (depends on B)';
    await expect(importPlan(rm, { content: circle, source })).rejects.toThrow('line 2: "C" and "B" would wait');
    await expect(importPlan(rm, { content: 'no entry', source })).rejects.toThrow('no heading and no item');
    expect(tree(rm)).toEqual([]);
  });
});
