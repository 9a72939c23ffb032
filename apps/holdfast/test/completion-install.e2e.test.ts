import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

const holdfast = resolve(import.meta.dirname, '../../../dist/bin/holdfast');

interface Place {
  readonly home: string;
  readonly install: (...args: string[]) => { code: number | null; stdout: string; stderr: string };
}

function newHome(shell: string): Place {
  const home = mkdtempSync(join(tmpdir(), "holdfast-it's-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'], HOME: home, SHELL: shell, NO_COLOR: '1' };
  return {
    home,
    install: (...args) => {
      const ran = spawnSync(process.execPath, [holdfast, 'completion', 'install', ...args], { env, encoding: 'utf8' });
      return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
    },
  };
}

const files = [
  ['bash', '.bashrc', '.config/holdfast/completion.bash'],
  ['zsh', '.zshrc', '.config/holdfast/completion.zsh'],
  ['fish', '.config/fish/completions/np.fish', '.config/fish/completions/holdfast.fish'],
] as const;

describe('holdfast completion install', () => {
  it.each(files)('adds completion to %s once, keeps the rest of its files, and takes it back', (shell, own, script) => {
    const { home, install } = newHome(`/usr/bin/${shell}`);
    const text = '# ours\nalias ll="ls -l"\n';
    mkdirSync(dirname(join(home, own)), { recursive: true });
    writeFileSync(join(home, own), text);
    expect(install('--dry-run').stdout).toContain(`Would change ${join(home, own)}`);
    expect(readFileSync(join(home, own), 'utf8')).toBe(text);
    expect(existsSync(join(home, script))).toBe(false);
    expect(install()).toMatchObject({ code: 0, stderr: expect.stringContaining('new shell') as string });
    const once = readFileSync(join(home, own), 'utf8');
    expect(once.startsWith(text)).toBe(true);
    expect(readFileSync(join(home, script), 'utf8')).toContain('holdfast');
    expect(install().stdout).toContain('is installed');
    expect(readFileSync(join(home, own), 'utf8')).toBe(once);
    expect(install(shell, '--remove').code).toBe(0);
    expect(readFileSync(join(home, own), 'utf8')).toBe(text);
    expect(existsSync(join(home, script))).toBe(false);
  });

  it('makes bash complete every command', () => {
    const { home, install } = newHome('/bin/bash');
    expect(install().code).toBe(0);
    const { stdout } = spawnSync('bash', ['--rcfile', join(home, '.bashrc'), '-ic', 'complete -p'], {
      encoding: 'utf8',
    });
    for (const name of ['holdfast', 'np', 'nasin', 'ringmaster', 'ut']) {
      expect(stdout).toMatch(new RegExp(`complete -F \\S+ ${name}\n`, 'u'));
    }
  });

  it('makes fish complete a command and its options', () => {
    const { home, install } = newHome('/usr/bin/fish');
    expect(install().code).toBe(0);
    const env = { ...process.env, HOME: home, PATH: [dirname(holdfast), process.env['PATH']].join(delimiter) };
    const complete = (line: string): string =>
      spawnSync('fish', ['-c', `complete -C '${line}'`], { env, encoding: 'utf8' }).stdout;
    expect(complete('holdfast servi')).toMatch(/^service\t/u);
    expect(complete('np go')).toMatch(/^goal\t/mu);
    expect(complete('ut ls --j')).toMatch(/^--json\t/u);
  });

  it('makes zsh complete a command when the Tab key is pressed', async () => {
    const { home, install } = newHome('/usr/bin/zsh');
    expect(install().code).toBe(0);
    writeFileSync(join(home, '.zshrc'), `${readFileSync(join(home, '.zshrc'), 'utf8')}PS1='ready> '\n`);
    const path = [dirname(holdfast), process.env['PATH']].join(delimiter);
    const env = { ...process.env, HOME: home, ZDOTDIR: home, PATH: path, TERM: 'dumb' };
    const shell = spawn('script', ['-qec', 'zsh -i', '/dev/null'], { env });
    onTestFinished(() => void shell.kill());
    const seen = await new Promise<string>((done) => {
      let text = '';
      shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        const isFirst = !text.includes('ready> ');
        text += chunk;
        if (isFirst && text.includes('ready> ')) shell.stdin.write('holdfast servi\t');
        // Control-U empties the line, so that the command itself is not run.
        if (text.includes('holdfast service')) shell.stdin.end('\u0015exit\n');
      });
      shell.once('close', () => done(text));
    });
    expect(seen).toContain('holdfast service');
  });

  it('asks for the shell if it does not know the one in $SHELL', () => {
    const { code, stderr } = newHome('/bin/tcsh').install();
    expect(code).toBe(2);
    expect(stderr).toContain('holdfast completion install bash|zsh|fish');
  });
});
