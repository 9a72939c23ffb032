/** What agents are told, and where it is written. */
import { existsSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../src/model/guidance.ts';
import { newPlace } from './built-np.ts';

const TOKENS_MAX = 2_000;

/** More than any tokenizer makes of English and code: every word in pieces of four letters, every sign by itself. */
function tokensAtMost(text: string): number {
  return Array.from(text.matchAll(/[A-Za-z]{1,4}|[0-9]{1,3}|[^\sA-Za-z0-9]|\n/gu)).length;
}

describe('np prime', () => {
  it('stays under its limit and works without a database', () => {
    const place = newPlace();
    const { code, stdout } = place.np(['prime']);
    expect(code).toBe(0);
    expect(tokensAtMost(stdout)).toBeLessThan(TOKENS_MAX);
    expect(existsSync(place.home)).toBe(false);
  });

  it('ends with the current plan, and never fails because of it', () => {
    const place = newPlace();
    place.np(['s']);
    const titles = Array.from({ length: 200 }, (_, index) => ['-t', `Step ${index} ${'of the long way '.repeat(9)}`]);
    place.np(['t', 'a', ...titles.flat()]);
    const { stdout } = place.np(['prime']);
    expect(stdout).toContain('Step 0 of the long way');
    expect(stdout).toContain('0 of 200 done');
    expect(tokensAtMost(stdout)).toBeLessThan(TOKENS_MAX);
    expect(place.np(['prime'], { cwd: place.folder })).toMatchObject({ code: 0, stderr: '' });
    writeFileSync(join(place.folder, 'np.db'), 'no database');
    expect(place.np(['prime'], { env: { NP_DIR: place.folder } })).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining('Step 0'),
    });
  });

  it('names only commands that exist', () => {
    const place = newPlace();
    place.np(['s']);
    const { stdout } = place.np(['prime']);
    const words = new Set(Array.from(stdout.matchAll(/`np ([a-z]+(?: [a-z]{1,5}(?= |`))?)/gu), ([, name]) => name!));
    expect(words.size).toBeGreaterThan(8);
    for (const name of words) expect(place.np([...name.split(' '), '--help']).code, name).toBe(0);
  });
});

describe('np setup', () => {
  it.each(AGENTS)('tells %s, says so, and takes it back without a trace', (agent) => {
    const place = newPlace();
    expect(place.np(['setup', agent, '--check']).code).toBe(1);
    expect(place.data<{ changed: boolean }>(['setup', agent]).changed).toBe(true);
    const { path } = place.data<{ path: string }>(['setup', agent]);
    expect(readFileSync(path, 'utf8')).toContain('np prime');
    expect(place.np(['setup', agent, '--check']).code).toBe(0);
    expect(place.data<{ changed: boolean }>(['setup', agent]).changed).toBe(false);
    expect(place.np(['setup', agent, '--remove']).code).toBe(0);
    expect(existsSync(path)).toBe(false);
    expect(place.np(['setup', agent, '--check']).code).toBe(1);
  });

  it('leaves everything else in these files as it was', () => {
    const place = newPlace();
    const agents = join(place.project, 'AGENTS.md');
    writeFileSync(agents, '# Ours\n\nKeep this.\n');
    place.np(['setup', 'codex']);
    expect(readFileSync(agents, 'utf8')).toContain('Keep this.\n\n<!-- np');
    place.np(['setup', 'codex', '--remove']);
    expect(readFileSync(agents, 'utf8')).toBe('# Ours\n\nKeep this.\n');
    const gemini = join(place.project, 'GEMINI.md');
    symlinkSync('AGENTS.md', gemini);
    place.np(['setup', 'gemini']);
    expect(readlinkSync(gemini), 'a link stays one').toBe('AGENTS.md');
    expect(readFileSync(agents, 'utf8')).toContain('<!-- np');
    place.np(['setup', 'gemini', '--remove']);
    expect(readFileSync(agents, 'utf8')).toBe('# Ours\n\nKeep this.\n');
    mkdirSync(join(place.project, '.cursor'));
    writeFileSync(join(place.project, '.cursor/rules'), 'a file');
    const inTheWay = place.np(['setup', 'cursor']);
    expect(inTheWay).toMatchObject({ code: 1, stderr: expect.stringContaining('SETUP_FILE_UNREADABLE') });
    const settings = join(place.project, '.claude/settings.json');
    mkdirSync(join(place.project, '.claude'));
    const other = {
      model: 'x',
      hooks: { SessionStart: [{ matcher: '', hooks: [{ type: 'command', command: 'date' }] }] },
    };
    writeFileSync(settings, `${JSON.stringify(other, null, 2)}\n`);
    place.np(['setup', 'claude']);
    expect(JSON.parse(readFileSync(settings, 'utf8')).hooks.SessionStart).toHaveLength(2);
    place.np(['setup', 'claude', '--remove']);
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual(other);
    writeFileSync(settings, '{ broken');
    expect(place.np(['setup', 'claude'])).toMatchObject({ code: 1 });
    expect(readFileSync(settings, 'utf8')).toBe('{ broken');
  });
});
