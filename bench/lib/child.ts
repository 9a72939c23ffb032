import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A program of bench/programs in a process of its own, which answers one question at a time. */
export class Child {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /** Resolves when the program is ready for questions. */
  static async start(program: string, words: readonly string[]): Promise<Child> {
    // scripts/bench.mjs puts the bundled programs beside the code that runs now.
    const path = join(import.meta.dirname, 'programs', `${program}.mjs`);
    // What it prints must not come between the lines of `--json`.
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

/** The other end: called once by a program that is ready. It ends with the process that started it. */
export function answerQuestions(answer: (question: string) => unknown): void {
  process.on('disconnect', () => process.exit());
  process.on('message', (question) => {
    void Promise.resolve(answer(question as string)).then((found) => process.send?.(found ?? 'done'));
  });
  process.send?.('ready');
}
