/** The built command, used by agents that share a plan. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newPlace } from './built-np.ts';

interface Changed {
  readonly tasks: readonly { readonly id: string }[];
}

it('binds other agents with a claim until it is released or taken over', () => {
  const place = newPlace();
  const as = (name: string) => ({ env: { NP_ACTOR: name } });
  place.np(['s']);
  const { id } = place.data<Changed>(['t', 'a', '-t', 'One']).tasks[0]!;
  expect(place.np(['t', 'claim', id])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('NP_ACTOR') as string,
  });
  expect(place.np(['t', 'claim', id, '--for', '30m'], as('ada')).stdout).toContain('(claimed by ada until ');
  const complete = ['t', 'u', '-i', id, '-s', 'completed'];
  const claimed = { code: 4, stderr: expect.stringContaining('[TASK_CLAIMED]') as string };
  expect(place.np(['t', 'claim', id, '--actor', 'bob'])).toMatchObject(claimed);
  expect(place.np(complete, as('bob'))).toMatchObject(claimed);
  expect(place.np(complete)).toMatchObject(claimed);
  expect(place.np(['t', 'release', id], as('bob'))).toMatchObject(claimed);
  expect(place.np(['t', 'claim', id, '--takeover'], as('bob')).code).toBe(2);
  expect(place.np(['t', 'claim', id, '--takeover', '-r', 'ada has left'], as('bob')).code).toBe(0);
  expect(place.np(['log', '-n', '1']).stdout).toMatch(/claimed by bob \(before: ada\): One\n *because ada has left/u);
  expect(place.np(['t', 'release', id, '--actor', 'bob']).stdout).toContain(`☐ ${id} One`);
  expect(place.np(['t', 'claim', id], as('ada')).code).toBe(0);
  expect(place.np([...complete, '--force'], as('bob')).code).toBe(0);
});

it('goes back: undoes a change, makes a session active again and lists those of a directory', () => {
  const place = newPlace();
  const { sid } = place.data<{ session: { sid: string } }>(['s']).session;
  const { id } = place.data<Changed>(['t', 'a', '-t', 'One']).tasks[0]!;
  place.np(['t', 'u', '-i', id, '-s', 'failed', '-r', 'no access']);
  const undone = place.np(['undo']);
  expect(undone).toMatchObject({ code: 0, stdout: expect.stringContaining(`Undone: ${id} failed: One\n☐ ${id} One`) });
  expect(place.np(['undo', '--actor', 'ada'])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('[NOTHING_TO_UNDO]'),
  });
  expect(place.data<{ undone: string }>(['undo']).undone).toBe(`${id} added: One`);
  expect(place.np(['log', '-n', '1']).stdout).toContain(`undone: ${id} added: One`);
  expect(place.np(['a']).stdout).toBe(`Session ${sid} is archived.\n`);
  expect(place.np(['a', '--undo']).stdout).toBe(`Session ${sid} is active for ${place.project}.\n`);
  const listed = (dir: string) => place.data<unknown[]>(['ls', '--dir', dir]);
  expect(listed(place.project)).toMatchObject([{ session: { sid, state: 'active' } }]);
  expect(listed(place.folder)).toEqual([]);
  expect(place.data<{ problems: unknown[] }>(['verify']).problems).toEqual([]);
});

it('starts from a Markdown plan, says what can be started, keeps notes and finds them', () => {
  const place = newPlace();
  writeFileSync(join(place.project, 'PLAN.md'), '# Ship #4\n\nsoon\n\n- [x] Reproduce\n- [ ] Fix\n  in src/a.ts\n');
  expect(place.np(['status', '--line'])).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(existsSync(place.home), 'a prompt creates no database').toBe(false);
  expect(place.np(['s', '--from', 'missing.md'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('missing.md'),
  });
  expect(place.np(['s', '--from', 'PLAN.md']).stdout).toContain('with 2 tasks');
  expect(place.np(['s', '--from', 'PLAN.md']).code).toBe(4);
  expect(place.np(['status', '--line']).stdout).toBe('1/2 Ship #4\n');
  const { id: fix } = place.data<{ tasks: { id: string }[] }>(['ready']).tasks[0]!;
  expect(place.np(['t', 'a', '-t', 'Release', '--after', fix]).code).toBe(0);
  expect(place.np(['ready']).stdout).toBe(`☐ ${fix}  Fix\n    in src/a.ts\n`);
  place.np(['t', 'u', '-i', fix, '-s', 'in_progress', '-n', 'the cart forgets \u001b[31mitems']);
  expect(place.np(['status', '--line']).stdout).toBe('1/3 ⟳ Fix\n');
  expect(place.np(['status']).stdout).toContain('Goal: Ship #4\n1 of 3 done, 1 pending, 1 in progress');
  expect(place.np(['p']).stdout).toMatch(/Fix\n {4}in src\/a\.ts\n {4}note: the cart[^]*Release {2}\(after /u);
  expect(place.np(['ready']).stdout).toBe('No task can be started now.\n');
  expect(place.np(['find', 'CART', 'fix'], { cwd: place.folder }).stdout).toMatch(new RegExp(`⟳ +${fix} +Fix`, 'u'));
  expect(place.np(['find', 'nowhere']).stdout).toBe('No task contains all of these words.\n');
  expect(place.np(['t', 'u', '-i', fix, '-s', 'completed']).stdout).toMatch(/Next: ☐ \w+ Release/u);
  expect(place.np(['undo']).stdout).toContain('Undone:');
  expect(place.data<{ problems: unknown[] }>(['verify']).problems).toEqual([]);
});
