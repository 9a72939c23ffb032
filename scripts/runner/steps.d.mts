import type { Options } from './arguments.d.mts';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
}

/** A step either runs a command or says why there is nothing to run. */
export type Work = Command | { readonly nothing: string };

export interface Step {
  readonly name: string;
  readonly title: string;
  readonly kind: 'prepare' | 'check' | 'tests';
  /** Names of the steps that have to come first, in full: needs of needs are written out. */
  readonly needs: readonly string[];
  readonly limitMinutes: number;
  /** Asked when the step's turn has come, because what is there depends on the steps before. */
  work(options: Options): Work;
  after?(): void;
  /** Files of tests that get a second attempt, which is then said at the end. */
  readonly secondAttempt?: RegExp;
}

export declare const steps: readonly Step[];
