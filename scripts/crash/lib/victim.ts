import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { PASSED } from '../../../packages/base/src/failpoint.ts';
import type { Random } from '../../../packages/sqlite/test/random.ts';
import type { Campaign } from './campaign.ts';

/** A program from scripts/crash/programs in its own process, which can be messaged and killed at any moment. */
export class Victim {
  readonly #process: ChildProcess;
  readonly #lines: string[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #ended: Promise<void>;
  #isOver = false;
  #errors = '';

  constructor(
    program: string,
    args: readonly string[],
    failpoint?: string,
    variables: Readonly<Record<string, string>> = {},
  ) {
    const path = join(import.meta.dirname, 'programs', `${program}.mjs`);
    const { HOLDFAST_FAILPOINT: _, ...inherited } = process.env;
    const environment = { ...inherited, ...variables };
    this.#process = spawn(process.execPath, [path, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // Its own process group, so that its children can be found after its death.
      detached: true,
      env: failpoint === undefined ? environment : { ...environment, HOLDFAST_FAILPOINT: failpoint },
    });
    const { stdin, stdout, stderr } = this.#process;
    // Writing to a killed process is not an error here.
    stdin?.on('error', () => undefined);
    stderr?.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()));
    createInterface({ input: stdout! }).on('line', (line) => {
      this.#lines.push(line);
      this.#wake();
    });
    this.#ended = new Promise((resolve) => {
      this.#process.once('close', () => {
        this.#isOver = true;
        this.#wake();
        resolve();
      });
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get wasKilled(): boolean {
    return this.#process.signalCode === 'SIGKILL';
  }

  /** Exit code and error output of a program that failed without being killed. */
  get failure(): string | undefined {
    const { exitCode, signalCode } = this.#process;
    if (this.wasKilled || exitCode === 0) return undefined;
    return `exit ${exitCode ?? signalCode}: ${this.#errors.trim()}`;
  }

  /** Failpoints that the program passed, if it was started to list them. */
  get passed(): readonly string[] {
    const lines = this.#errors.split('\n').filter((line) => line.startsWith(PASSED));
    return lines.map((line) => line.slice(PASSED.length));
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  say(line: string): void {
    this.#process.stdin?.write(`${line}\n`);
  }

  /** Resolves with true when the program prints this line, or false when it ends first. Each line counts once. */
  async said(line: string): Promise<boolean> {
    for (;;) {
      const at = this.#lines.indexOf(line);
      if (at >= 0) {
        this.#lines.splice(at, 1);
        return true;
      }
      if (this.#isOver) return false;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
  }

  /** Stops the process for a while, as a laptop lid or a debugger does. */
  async stop(ms: number): Promise<void> {
    this.#process.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.#process.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  /** Resolves when the program and its child processes, such as git, have ended. */
  async gone(): Promise<void> {
    await this.#ended;
    while (this.#hasGroup()) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  #hasGroup(): boolean {
    try {
      return process.kill(-(this.#process.pid ?? 0), 0);
    } catch {
      return false;
    }
  }

  ended(): Promise<void> {
    return this.#ended;
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}

/** How a process is killed: at a named step, or after a random time. */
interface Death {
  readonly failpoint: string | undefined;
  readonly afterMs: number;
}

/**
 * Chooses how a process dies. In half of the cases, it dies when it reaches a failpoint for the n-th time, where n is
 * at most `passes`; otherwise, it dies after a random time.
 */
export function anyDeath(random: Random, { failpoints }: Campaign, passes: number, withinMs: number): Death {
  const isAtStep = random.next() < 0.5;
  return {
    failpoint: isAtStep ? `${random.of(failpoints)}:${1 + random.below(passes)}` : undefined,
    afterMs: random.next() * withinMs,
  };
}

/** Starts a program, waits until it prints "started", and kills it unless it ends first. */
export async function startAndKill(program: string, args: readonly string[], death: Death): Promise<Victim> {
  const victim = new Victim(program, args, death.failpoint);
  if (death.failpoint === undefined && (await victim.said('started'))) {
    await Promise.race([victim.ended(), new Promise((resolve) => setTimeout(resolve, death.afterMs))]);
    if (!victim.isOver) await victim.kill();
  }
  await victim.ended();
  return victim;
}
