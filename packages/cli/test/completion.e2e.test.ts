import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInBash, spawnAtTerminal } from './fixture-process.ts';

/** Completes a line as bash does: bash splits words at COMP_WORDBREAKS and passes the pieces to the function. */
async function bashCompletes(words: readonly string[], line: string): Promise<readonly string[]> {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const { stdout, stderr } = await runInBash(`
    compopt() { echo "option \${2}"; }
    eval "$(fixture completion bash)"
    complete -p fixture >/dev/null || exit 1
    COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}
    _fixture_complete fixture "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
    printf '%s\\n' "\${COMPREPLY[@]}"
  `);
  expect(stderr).toBe('');
  return stdout.toString().trim().split('\n');
}

describe('bash completion', () => {
  it('offers commands', async () => {
    expect(await bashCompletes(['fixture', ''], 'fixture ')).toEqual(['task', 'behave', 'help', 'completion']);
    expect(await bashCompletes(['fixture', 't', 'a'], 'fixture t a')).toEqual(['add']);
  });

  it('offers values where bash sees three words', async () => {
    expect(await bashCompletes(['fixture', 'task', '--status', '=', 'c'], 'fixture task --status=c')).toEqual([
      'closed',
    ]);
    expect(await bashCompletes(['fixture', 'task', '--status', '='], 'fixture task --status=')).toEqual([
      'open',
      'closed',
      'all',
    ]);
  });

  it('offers what only the program knows', async () => {
    expect(await bashCompletes(['fixture', 'task', 'show', 'a', ':'], 'fixture task show a:')).toEqual(['1', '2']);
  });

  it('leaves folders to bash', async () => {
    expect(await bashCompletes(['fixture', '--home', '/'], 'fixture --home /')).toEqual(['option dirnames']);
  });

  it('works in an interactive shell when the tab key is pressed', async () => {
    const home = await mkdtemp(join(tmpdir(), 'holdfast-completion-'));
    try {
      await runInBash(`
        eval "$(fixture completion bash)"
        { declare -p FIXTURE; declare -pf fixture _fixture_complete; } > '${home}/rc'
        echo 'complete -F _fixture_complete fixture; PS1="ready> "' >> '${home}/rc'
      `);
      const shell = spawnAtTerminal(`bash --noprofile --rcfile ${home}/rc -i`);
      const typed = await typeWhenReady(shell, 'fixture task --status=cl\t', '--status=closed');
      expect(typed).toContain('fixture task --status=closed');
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});

/** Types into a shell after its prompt appears, waits for the expected text, and exits. */
async function typeWhenReady(shell: ChildProcessWithoutNullStreams, keys: string, expected: string): Promise<string> {
  let seen = '';
  let isTyped = false;
  shell.stdout.on('data', (chunk: Buffer) => {
    seen += chunk.toString();
    if (!isTyped && seen.includes('ready> ')) isTyped = shell.stdin.write(keys);
    // Control-U empties the line, so that the command itself is not run.
    if (seen.includes(expected)) shell.stdin.end('\u0015exit\n');
  });
  await new Promise((resolve) => shell.once('close', resolve));
  return seen;
}
