import { describe, expect, it } from 'vitest';
import { program } from '../../test/fixture/program.ts';
import { defineProgram } from '../spec/command.ts';
import { withBuiltins } from '../program/builtin.ts';
import { answerCompletion } from './complete.ts';
import { completionScript } from './shells.ts';
import type { Shell } from './shells.ts';

const complete = withBuiltins(program);

async function candidates(line: string, shell: Shell = 'fish', word?: string): Promise<readonly string[]> {
  const answer = await answerCompletion(complete, { shell, line, word, env: { FIXTURE_HOME: '/x' } });
  return answer.split('\n').slice(0, -1);
}

const values = async (line: string) => (await candidates(line)).map((candidate) => candidate.split('\t')[0]);

describe('completion', () => {
  it('quotes for bash what it would take for several words', async () => {
    const spaced = defineProgram({
      name: 'x',
      version: '1',
      summary: 'x',
      arguments: [{ name: 'tag', summary: 'One', choices: ['two words', 'ünï', "it's"] }],
      load: async () => ({ run: () => {} }),
    });
    const asked = (shell: Shell, word: string) => answerCompletion(spaced, { shell, line: `x ${word}`, word, env: {} });
    expect(await asked('bash', '')).toBe("two\\ words\t\nünï\t\nit\\'s\t\n");
    expect(await asked('bash', '"two')).toBe('two words\t\n');
    expect(await asked('fish', 'tw')).toBe('two words\t\n');
  });

  it.each([
    ['fixture ', ['task', 'behave', 'help', 'completion']],
    ['fixture ta', ['task']],
    ['fixture task ', ['add', 'show']],
    ['fixture t a', ['add']],
    ['fixture --home /y t a', ['add']],
    ['fixture task --s', ['--status']],
    ['fixture task --status ', ['open', 'closed', 'all']],
    ['fixture task --status c', ['closed']],
    ['fixture task --status=o', ['--status=open']],
    [
      'fixture task add -',
      ['--title', '--description', '--priority', '--home', '--json', '--no-color', '--raw', '--help'],
    ],
    ['fixture task add -t ', []],
    ['fixture task show ', ['a:1', 'a:2', 'b3']],
    ['fixture task show a:', ['a:1', 'a:2']],
    ['fixture task show b3 ', []],
    ['fixture task show -- -', []],
    ['fixture help t', ['task']],
    ['fixture completion ', ['bash', 'zsh', 'fish']],
    ['fixture behave fail not', ['not_found']],
    ['fixture nonsense ', []],
    ['fixture --home ', ['']],
  ])('after %s', async (line, expected) => {
    expect(await values(line)).toEqual(expected);
  });

  it('says what the candidates mean, with what only the program knows', async () => {
    expect(await candidates('fixture ta')).toEqual(['task\tList tasks']);
    expect(await candidates('fixture task show a:1')).toEqual(['a:1\tfirst in /x']);
  });

  it('leaves paths to the shell', async () => {
    expect(await candidates('fixture --home /')).toEqual(['\tdirectory']);
  });

  it('gives bash only what follows the characters at which bash splits words', async () => {
    expect(await candidates('fixture task --status=o', 'bash', 'o')).toEqual(['open\t']);
    expect(await candidates('fixture task --status=', 'bash', '=')).toEqual(['open\t', 'closed\t', 'all\t']);
    expect(await candidates('fixture task show a:', 'bash', ':')).toEqual(['1\tfirst in /x', '2\tsecond']);
    expect(await candidates('fixture task show a:1', 'bash', '1')).toEqual(['1\tfirst in /x']);
  });

  it('has a script for each shell that asks the program', () => {
    expect(completionScript('bash', 'np')).toContain('complete -F _np_complete np');
    expect(completionScript('zsh', 'np')).toMatch(/^#compdef np\n/u);
    expect(completionScript('fish', 'np')).toContain("complete -c np -f -a '(_np_complete)'");
    for (const shell of ['bash', 'zsh', 'fish'] as const) {
      expect(completionScript(shell, 'np')).toContain(`__complete ${shell} -- `);
    }
  });
});
