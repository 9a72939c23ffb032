/** The instructions for agents, and the files that contain them. */
import { existsSync, mkdirSync, readFileSync, readlinkSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newPlace } from './built-np.ts';

const TOKENS_MAX = 2_000;

/**
 * Returns an upper bound on the token count for any tokenizer of English and code: one token per four letters of a
 * word, and one per sign.
 */
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

const AGENTS = ['claude', 'codex', 'copilot', 'cursor', 'gemini', 'vscode', 'windsurf'];

interface Setup {
  readonly changed: boolean;
  readonly set_up: boolean;
  readonly files: readonly { readonly path: string; readonly change: string }[];
}

describe('np setup', () => {
  it.each(AGENTS)('connects %s, says so, and takes it back without a trace', (agent) => {
    const place = newPlace();
    const env = { HOME: place.folder };
    const setup = (...args: string[]): Setup => place.data<Setup>(['setup', agent, ...args], { env });
    expect(place.np(['setup', agent, '--check'], { env }).code).toBe(1);
    const planned = setup('--dry-run');
    expect(planned).toMatchObject({ changed: false, set_up: false });
    const paths = planned.files.map(({ path }) => path);
    expect(paths.filter((path) => existsSync(path))).toEqual([]);
    const shown = place.np(['setup', agent, '--dry-run'], { env }).stdout;
    for (const path of paths) expect(shown).toContain(`Would create ${path}`);
    expect(setup()).toMatchObject({ changed: true, set_up: true });
    for (const path of paths) expect(readFileSync(path, 'utf8')).toMatch(/np prime|"?mcp"?/u);
    expect(paths.map((path) => readFileSync(path, 'utf8')).join('')).toContain('np prime');
    expect(place.np(['setup', agent, '--check'], { env }).code).toBe(0);
    expect(setup()).toMatchObject({ changed: false, set_up: true });
    expect(setup('--remove', '--dry-run')).toMatchObject({ changed: false, set_up: true });
    expect(setup('--remove')).toMatchObject({ changed: true, set_up: false });
    expect(paths.filter((path) => existsSync(path))).toEqual([]);
    expect(place.np(['setup', agent, '--check'], { env }).code).toBe(1);
    expect(place.np(['setup', agent, '--check', '--remove'], { env }).code).toBe(2);
  });

  it('writes what each agent reads', () => {
    const place = newPlace();
    const env = { HOME: place.folder };
    for (const agent of AGENTS) expect(place.np(['setup', agent], { env }).code).toBe(0);
    const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
    const inProject = (path: string): string => join(place.project, path);
    const server = { command: 'np', args: ['mcp'] };
    const inWorkspace = { command: 'np', args: ['mcp', '--dir', '${workspaceFolder}'] };
    expect(json(inProject('.mcp.json'))).toEqual({ mcpServers: { np: server } });
    expect(json(inProject('.gemini/settings.json'))).toEqual({ mcpServers: { np: server } });
    expect(json(inProject('.cursor/mcp.json'))).toEqual({ mcpServers: { np: inWorkspace } });
    expect(json(inProject('.vscode/mcp.json'))).toEqual({ servers: { np: { type: 'stdio', ...inWorkspace } } });
    // Windsurf has one file for all projects, so folders with the same name need one entry each.
    const [project, other] = [realpathSync(place.project), join(realpathSync(place.folder), 'other/project')];
    mkdirSync(other, { recursive: true });
    expect(place.np(['setup', 'windsurf', '--dir', other, '--check'], { env }).code).toBe(1);
    expect(place.np(['setup', 'windsurf', '--dir', other], { env }).code).toBe(0);
    const { mcpServers } = json(join(place.folder, '.codeium/windsurf/mcp_config.json')) as { mcpServers: object };
    expect(Object.keys(mcpServers)).toEqual(Array(2).fill(expect.stringMatching(/^np-project-[0-9a-f]{6}$/u)));
    expect(Object.values(mcpServers)).toEqual(
      [project, other].map((folder) => ({ command: 'np', args: ['mcp', '--dir', folder] })),
    );
    expect(readFileSync(inProject('.codex/config.toml'), 'utf8')).toContain('[mcp_servers.np]\ncommand = "np"\n');
    expect(json(inProject('.claude/settings.json'))).toEqual({
      hooks: { SessionStart: [{ matcher: '', hooks: [{ type: 'command', command: 'np prime' }] }] },
    });
    expect(readFileSync(inProject('.cursor/rules/np.mdc'), 'utf8')).toMatch(
      /^---\ndescription: .+\nalwaysApply: true\n---\n\n<!-- np: begin/u,
    );
    expect(readFileSync(inProject('.windsurf/rules/np.md'), 'utf8')).toMatch(/^---\ntrigger: always_on\n---\n/u);
  });

  it('keeps the paragraph that two agents share until the last of them is removed', () => {
    const place = newPlace();
    const path = join(place.project, '.github/copilot-instructions.md');
    mkdirSync(dirname(path));
    writeFileSync(path, '# Ours\n');
    const check = (agent: string): number | null => place.np(['setup', agent, '--check']).code;
    for (const [first, last] of [
      ['vscode', 'copilot'],
      ['copilot', 'vscode'],
    ] as const) {
      for (const agent of ['copilot', 'vscode']) place.np(['setup', agent]);
      expect([check('copilot'), check('vscode')]).toEqual([0, 0]);
      place.np(['setup', first, '--remove']);
      expect([check(first), check(last)]).toEqual([1, 0]);
      expect(place.np(['setup', first, '--remove']).stdout).toContain('is not set up here');
      expect(check(last)).toBe(0);
      place.np(['setup', last, '--remove']);
      expect(readFileSync(path, 'utf8')).toBe('# Ours\n');
    }
  });

  it('leaves everything else in these files as it was', () => {
    const place = newPlace();
    const kept: readonly [agent: string, path: string, text: string][] = [
      ['codex', 'AGENTS.md', '# Ours\n\nKeep this.\n'],
      ['codex', '.codex/config.toml', '# Ours\nmodel = "x" # the small one\n\n[mcp_servers.other]\ncommand = "o"\n'],
      ['claude', '.mcp.json', '{\n    // ours\n    "mcpServers": {\n        "other": { "command": "o" }\n    }\n}\n'],
      [
        'claude',
        '.claude/settings.json',
        '{\n\t"model": "x",\n\t"hooks": {\n\t\t"SessionStart": [\n\t\t\t{ "hooks": [{ "type": "command", "command": "date" }] }\n\t\t]\n\t}\n}\n',
      ],
      ['gemini', '.gemini/settings.json', '{\r\n  // ours\r\n  "theme": "x",\r\n}\r\n'],
      ['cursor', '.cursor/rules/np.mdc', '---\nalwaysApply: false\n---\n\nOurs.\n'],
    ];
    for (const [, path, text] of kept) {
      mkdirSync(dirname(join(place.project, path)), { recursive: true });
      writeFileSync(join(place.project, path), text);
    }
    for (const [agent] of kept) place.np(['setup', agent]);
    for (const [, path, text] of kept) {
      const now = readFileSync(join(place.project, path), 'utf8');
      expect(now, path).not.toBe(text);
      const ours = text.split('\n').filter((line) => /ours|other|date|model|theme|alwaysApply/iu.test(line));
      for (const line of ours) expect(now, path).toContain(line.replace(/[\s{}]+$/u, ''));
    }
    for (const [agent] of kept) place.np(['setup', agent, '--remove']);
    for (const [, path, text] of kept) expect(readFileSync(join(place.project, path), 'utf8'), path).toBe(text);
  });

  it('keeps a server entry that the user has changed', () => {
    const place = newPlace();
    const path = join(place.project, '.mcp.json');
    const own = '{ "mcpServers": { "np": { "command": "/opt/np", "args": ["mcp"] } } }\n';
    writeFileSync(path, own);
    place.np(['setup', 'claude']);
    expect(readFileSync(path, 'utf8')).toBe(own);
    place.np(['setup', 'claude', '--remove']);
    expect(readFileSync(path, 'utf8')).toBe(own);
  });

  it('writes through links, and refuses a file that it cannot parse before it changes any other', () => {
    const place = newPlace();
    const agents = join(place.project, 'AGENTS.md');
    writeFileSync(agents, '# Ours\n');
    const gemini = join(place.project, 'GEMINI.md');
    symlinkSync('AGENTS.md', gemini);
    place.np(['setup', 'gemini']);
    expect(readlinkSync(gemini), 'a link stays one').toBe('AGENTS.md');
    expect(readFileSync(agents, 'utf8')).toContain('<!-- np');
    place.np(['setup', 'gemini', '--remove']);
    expect(readFileSync(agents, 'utf8')).toBe('# Ours\n');
    mkdirSync(join(place.project, '.cursor'));
    writeFileSync(join(place.project, '.cursor/rules'), 'a file');
    const refused = { code: 1, stderr: expect.stringContaining('SETUP_FILE_UNREADABLE') as string };
    expect(place.np(['setup', 'cursor'])).toMatchObject(refused);
    mkdirSync(join(place.project, '.claude'));
    for (const broken of ['{ broken', '[]', '{ "hooks": [] }', '{ "hooks": { "SessionStart": {} } }']) {
      writeFileSync(join(place.project, '.claude/settings.json'), broken);
      expect(place.np(['setup', 'claude']), broken).toMatchObject(refused);
      expect(readFileSync(join(place.project, '.claude/settings.json'), 'utf8')).toBe(broken);
      expect(existsSync(join(place.project, '.mcp.json'))).toBe(false);
    }
    mkdirSync(join(place.project, '.codex'));
    for (const broken of ['model = ', 'mcp_servers = { other = { command = "o" } }\n']) {
      writeFileSync(join(place.project, '.codex/config.toml'), broken);
      expect(place.np(['setup', 'codex']), broken).toMatchObject(refused);
      expect(readFileSync(join(place.project, '.codex/config.toml'), 'utf8')).toBe(broken);
    }
  });
});
