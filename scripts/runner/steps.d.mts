import type { Options } from './arguments.d.mts';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
}

/** A command, or the reason why there is nothing to run. */
export type Work = Command | { readonly nothing: string };

export interface Step {
  readonly name: string;
  readonly title: string;
  readonly kind: 'prepare' | 'check' | 'tests';
  /** All steps that must run before, including indirect ones. */
  readonly needs: readonly string[];
  readonly limitMinutes: number;
  /** Called at the step's turn, because the result depends on earlier steps. */
  work(options: Options): Work;
  after?(): void;
  /** Test files that get a second attempt, which is reported at the end. */
  readonly secondAttempt?: RegExp;
}

export declare const steps: readonly Step[];
