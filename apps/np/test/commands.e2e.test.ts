/** The built command, as a person or an agent types it. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { newPlace, npPath, type Place } from './built-np.ts';

const CHARACTERS_PER_TOKEN = 4;

interface Listed {
  readonly tasks: readonly { readonly id: string }[];
}

function placeWithTasks(count: number): {
  readonly place: Place;
  readonly sid: string;
  readonly ids: readonly string[];
} {
  const place = newPlace();
  const { sid } = place.data<{ session: { sid: string } }>(['s']).session;
  const titles = Array.from({ length: count }, (_, index) => ['-t', `Step ${index}`, '-d', `details of ${index}`]);
  place.np(['t', 'a', ...titles.flat()]);
  return { place, sid, ids: place.data<Listed>(['t']).tasks.map(({ id }) => id) };
}

it('answers a change with what changed and what comes next, and prints the plan on request', () => {
  const { place, ids } = placeWithTasks(60);
  const [first, second, third] = ids as [string, string, string];
  const started = place.np(['t', 'u', '-i', first, '-s', 'completed', '-i', second, '-s', 'in_progress']).stdout;
  expect(started).toContain(`☑ ${first} Step 0\n⟳ ${second} Step 1\n1 of 60 done, 58 pending, 1 in progress\n`);
  expect(started).toContain(`Next: ☐ ${third} Step 2`);
  expect(started.length / CHARACTERS_PER_TOKEN).toBeLessThan(300);
  const failed = ['t', 'u', '-i', second, '-s', 'failed', '-r', 'no access', '--plan'];
  const plan = place.np(failed).stdout;
  expect(plan).toMatch(/☒ \w+ {2}Step 1\n {4}because no access\n☐ \w+ {2}Step 2\n {4}details of 2\n/u);
  expect(plan, 'finished tasks have no description').not.toMatch(/details of [01]\n/u);
  expect(plan).toContain('Step 59');
  const rest = ids.slice(2).flatMap((id) => ['-i', id, '-s', 'completed']);
  expect(place.np(['t', 'u', ...rest]).stdout).toContain("'np a' archives the plan");
});

it('accepts shortened ids, and refuses those that several tasks share', () => {
  const { place, sid, ids } = placeWithTasks(17);
  const [first] = ids as [string];
  expect(place.np(['t', 'u', '-i', first.slice(0, -1), '-s', 'in_progress']).stdout).toContain(`⟳ ${first} Step 0`);
  expect(place.np(['p', '--session', sid.slice(-6)], { cwd: place.folder }).stdout).toContain(`Session ${sid}`);
  // Of 17 ids, at least two begin with the same hexadecimal digit.
  const shared = '0123456789abcdef'.split('').find((digit) => ids.filter((id) => id.startsWith(digit)).length > 1)!;
  const refused = place.np(['t', 'u', '-i', shared, '-s', 'in_progress']);
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('[TASK_AMBIGUOUS]') });
  for (const id of ids.filter((each) => each.startsWith(shared))) expect(refused.stderr).toContain(id);
});

it('refuses sessions, directories and data homes that do not exist', () => {
  const { place } = placeWithTasks(1);
  const file = join(place.project, 'file');
  writeFileSync(file, '');
  const refusal = (code: number, name: string) => ({ code, stderr: expect.stringContaining(`[${name}]`) as string });
  expect(place.np(['p', '--session', 'NOPE'])).toMatchObject(refusal(3, 'SESSION_NOT_FOUND'));
  expect(place.np(['s', '--dir', file])).toMatchObject(refusal(3, 'DIRECTORY_GONE'));
  const unusable = place.np(['s'], { env: { NP_DIR: file } });
  expect(unusable).toMatchObject(refusal(1, 'STORE_PERMISSION'));
  expect(unusable.stderr).not.toContain('again');
});

it('shows keys as holdfast keys does', () => {
  const { place } = placeWithTasks(2);
  const holdfast = join(dirname(npPath), 'holdfast');
  const { stdout } = spawnSync(process.execPath, [holdfast, 'keys', 'np', '--json'], { env: place.env });
  const { data } = JSON.parse(stdout.toString()) as { data: readonly { encoding: string }[] };
  expect(place.data(['keys'])).toEqual(data);
  expect(new Set(data.map(({ encoding }) => encoding))).toEqual(new Set(['text', 'json', 'hex']));
});

it('refuses text that nobody can read, and shows control characters instead of obeying them', () => {
  const { place } = placeWithTasks(0);
  const add = ['t', 'a', '-t'];
  expect(place.np([...add, '\u200b\u2060'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('TEXT_INVALID'),
  });
  const script = 'exec "$0" "$1" t a -t "$(printf "caf\\351")"';
  const latin1 = spawnSync('sh', ['-c', script, process.execPath, npPath], { cwd: place.project, env: place.env });
  expect(latin1.status).toBe(2);
  expect(latin1.stderr.toString()).toContain('INPUT_NOT_TEXT');
  expect(place.np([...add, 'red \u001b[31m']).stdout).toContain('red \\x1b[31m');
  expect(place.np(['t']).stdout).toContain('red \\x1b[31m');
  expect(place.np(['t', '--raw']).stdout).toContain('red \u001b[31m');
});
