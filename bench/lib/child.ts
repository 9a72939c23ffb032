import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A program from bench/programs in its own process, which answers one question at a time. */
export class Child {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /** Resolves when the program is ready. */
  static async start(program: string, words: readonly string[]): Promise<Child> {
    // scripts/bench.mjs bundles the programs into this folder.
    const path = join(import.meta.dirname, 'programs', `${program}.mjs`);
    // Ignores the program's output, which must not mix with the lines of `--json`.
    const child = new Child(fork(path, words, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }));
    await child.#answer();
    return child;
  }

  ask<Answer>(question: string): Promise<Answer> {
    const answer = this.#answer() as Promise<Answer>;
    this.#process.send(question);
    return answer;
  }

  async stop(): Promise<void> {
    const gone = once(this.#process, 'exit');
    this.#process.disconnect();
    await gone;
  }

  #answer(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const child = this.#process;
      const onExit = (): void => reject(new Error(`${child.spawnargs.join(' ')} ended before it answered`));
      child.once('exit', onExit);
      child.once('message', (message) => {
        child.off('exit', onExit);
        resolve(message);
      });
    });
  }
}

/** Called once by a program that is ready. The program exits with its parent. */
export function answerQuestions(answer: (question: string) => unknown): void {
  process.on('disconnect', () => process.exit());
  process.on('message', (question) => {
    void Promise.resolve(answer(question as string)).then((found) => process.send?.(found ?? 'done'));
  });
  process.send?.('ready');
}
