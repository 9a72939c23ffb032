import { expect, it } from 'vitest';
import { parsePlan } from './markdown-plan.ts';

it('reads headings and items', () => {
  const plan = parsePlan(
    [
      '# Ship #4 #',
      '',
      'Why it matters.',
      'See src/a.ts.',
      '',
      '- [x] Reproduce',
      '  with a test',
      '* [ ] Fix',
      '',
      '## Afterwards',
      'Not part of any task.',
      '1. [X] Announce',
      '   - [ ] in the changelog',
      '',
      '- an item without a box',
      '```',
      '- [ ] in code',
      '# a comment',
      '```',
    ].join('\r\n'),
  );
  expect(plan).toEqual({
    goal: { title: 'Ship #4', description: 'Why it matters.\nSee src/a.ts.' },
    tasks: [
      { title: 'Reproduce', description: 'with a test', isDone: true },
      { title: 'Fix', description: '', isDone: false },
      { title: 'Announce', description: 'Afterwards', isDone: true },
      { title: 'in the changelog', description: 'Afterwards', isDone: false },
    ],
  });
});

it('needs a task, but no heading', () => {
  expect(parsePlan('- [ ] One')).toEqual({
    goal: undefined,
    tasks: [{ title: 'One', description: '', isDone: false }],
  });
  expect(() => parsePlan('# Only a heading\n- text')).toThrow('The plan has no tasks.');
});
