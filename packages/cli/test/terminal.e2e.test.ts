/** Tests with a real terminal: `script` runs a command in a pseudo-terminal. */
import { describe, expect, it } from 'vitest';
import { fixtureCommand, runProcess } from './fixture-process.ts';

async function atTerminal(line: string, columns = 40): Promise<string> {
  const command = `stty cols ${columns}; ${fixtureCommand.join(' ')} ${line}`;
  const { stdout } = await runProcess(['script', '-qec', command, '/dev/null'], {
    env: { NO_COLOR: '', TERM: 'xterm' },
  });
  return stdout.toString().replaceAll('\r\n', '\n');
}

describe('at a terminal', () => {
  it('tables are coloured and fit its width', async () => {
    const output = await atTerminal('task');
    expect(output).toContain('\u001b[32mopen\u001b[0m');
    expect(output).toContain('20  Bread and butter, a very lo…  ');
  });

  it('hostile data is shown, not obeyed', async () => {
    expect(await atTerminal('task show x --no-color')).toContain(String.raw`hostile \x1b[2J\x9b title`);
  });

  it('work that takes long shows how far it is, and clears the line for everything else', async () => {
    const output = await atTerminal('behave work --ms 800 --no-color', 80);
    expect(output).toMatch(/working █+░+ \d0% \d\/10 \d+ s left/u);
    expect(output.endsWith('\r\u001b[Kin between\ndone\n')).toBe(true);
  });

  it('work that does not shows nothing', async () => {
    expect(await atTerminal('behave work --no-color')).toBe('in between\ndone\n');
  });

  it('a command knows that somebody is there', async () => {
    expect(await atTerminal('behave work --json')).toContain('"isInteractive":false');
  });
});
