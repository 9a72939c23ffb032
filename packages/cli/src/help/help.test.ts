import { describe, expect, it } from 'vitest';
import { program } from '../../test/fixture/program.ts';
import { resolveCommand } from '../parse/resolve.ts';
import { withBuiltins } from '../program/builtin.ts';
import { plainText } from '../text/text.ts';
import { displayWidth } from '../text/width.ts';
import { helpLines } from './help.ts';

const complete = withBuiltins(program);

function help(words: readonly string[], columns = 80): string {
  return helpLines(resolveCommand(complete, words).path, columns).map(plainText).join('\n');
}

describe('help', () => {
  it('of a program lists its commands by group, and what exit codes mean', () => {
    expect(help([])).toBe(`A program for tests.

Usage
  fixture <command>

Commands
  task, t            List tasks
  behave             Behave in some way

Other commands
  help               Show help for a command
  completion         Print a completion script for your shell

Options
      --home <home>  Where the data is kept (or $FIXTURE_HOME)

Common options
  -V, --version      Show the version
      --json         Print data and errors as JSON
      --no-color     Print without colours
      --raw          Print control characters in data unescaped
  -h, --help         Show help for this command

Exit codes
  0 success, 1 failed, 2 wrong usage, 3 not found, 4 conflict or ambiguous, 5
  unavailable`);
  });

  it('of a command shows its own options first, and examples', () => {
    expect(help(['task', 'add'])).toContain(`Options
  -t, --title <title>              Title of a task (required) (may be repeated)
  -d, --description <description>  Description of the task (may be repeated)
  -p, --priority <priority>        From 1 to 5 (default 3)
      --home <home>                Where the data is kept (or $FIXTURE_HOME)
`);
    expect(help(['task', 'add'])).toContain('  # Two tasks at once\n  fixture task add -t Milk');
  });

  it('of a group that is also a command shows both uses', () => {
    expect(help(['task'])).toContain('Usage\n  fixture task [options]\n  fixture task <command>\n');
    expect(help(['task'])).toContain('--status <status>  Only these (open, closed, all) (default open)');
    expect(help(['task'])).toContain('--all-tags <tags>');
  });

  it('hides what is hidden', () => {
    expect(help([])).not.toContain('__complete');
  });

  it('fits the terminal', () => {
    const lines = help(['task', 'add'], 64).split('\n');
    const prose = lines.slice(0, lines.indexOf('Examples'));
    for (const line of prose) expect(displayWidth(line)).toBeLessThanOrEqual(64);
  });
});
