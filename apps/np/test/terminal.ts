/** `np m` in a real pseudo-terminal, read by a real terminal emulator. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { onTestFinished } from 'vitest';
import { npPath, type Place } from './built-np.ts';

const TIMEOUT_MS = 30_000;

export class Watched {
  readonly pty: IPty;
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  exitCode: number | undefined;

  constructor(place: Place, columns: number, rows: number, words: readonly string[] = ['m']) {
    // Omits variables that are undefined: unlike `node:child_process`, node-pty passes them as the text "undefined".
    const known = Object.entries(place.env).filter(([name, value]) => value !== undefined && name !== 'NO_COLOR');
    const env = { ...Object.fromEntries(known), TERM: 'xterm-256color' };
    this.#terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.pty = spawn(process.execPath, [npPath, ...words], { cols: columns, rows, cwd: place.project, env });
    this.pty.onData((data) => this.#terminal.write(data));
    this.pty.onExit(({ exitCode }) => (this.exitCode = exitCode));
    onTestFinished(() => {
      if (this.exitCode === undefined) this.pty.kill('SIGKILL');
    });
  }

  get isAlternate(): boolean {
    return this.#terminal.buffer.active.type === 'alternate';
  }

  lines(): readonly string[] {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: this.#terminal.rows }, (_, row) => active.getLine(row)?.translateToString(true) ?? '');
  }

  text(): string {
    return this.lines().join('\n');
  }

  /** Waits until the screen shows all texts; returns the time it took, in milliseconds. */
  async shows(...wanted: readonly string[]): Promise<number> {
    const started = performance.now();
    while (!wanted.every((text) => this.text().includes(text))) {
      if (performance.now() - started > TIMEOUT_MS) {
        throw new Error(`the screen never showed ${wanted.join(' and ')}:\n${this.text()}`);
      }
      await sleep(2);
    }
    return performance.now() - started;
  }

  async lacks(unwanted: string): Promise<void> {
    const started = performance.now();
    while (this.text().includes(unwanted)) {
      if (performance.now() - started > TIMEOUT_MS) throw new Error(`the screen kept ${unwanted}:\n${this.text()}`);
      await sleep(2);
    }
  }

  press(keys: string): void {
    this.pty.write(keys);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.pty.resize(columns, rows);
  }

  async ended(): Promise<number> {
    const started = performance.now();
    while (this.exitCode === undefined) {
      if (performance.now() - started > TIMEOUT_MS) throw new Error('the monitor did not end');
      await sleep(5);
    }
    return this.exitCode;
  }

  /** Returns whether the original screen is back. Waits, because the last output may arrive after the exit event. */
  async isRestored(): Promise<boolean> {
    const started = performance.now();
    while (this.isAlternate && performance.now() - started < TIMEOUT_MS) await sleep(5);
    return !this.isAlternate;
  }
}
