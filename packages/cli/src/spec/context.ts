/** The environment of a running command, which must not use `process` itself. */
import type { Output } from '../output/output.ts';
import type { Progress } from '../output/progress.ts';
import type { StandardInput } from '../host/stdin.ts';
import type { Text } from '../text/text.ts';

/** One option as it stood on the command line, in order. */
export interface GivenOption {
  readonly name: string;
  readonly value: string | number | boolean;
}

export interface CommandInput {
  readonly args?: unknown;
  readonly options?: unknown;
}

export interface CommandContext<Input extends CommandInput = CommandInput> {
  readonly args: Input['args'];
  readonly options: Input['options'];
  /** The options in the order given, for commands where `-t T -d D -t T2 -d D2` means two things with two parts each. */
  readonly given: readonly GivenOption[];
  /** Data for standard output. */
  readonly out: Output;
  readonly stdin: StandardInput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if a person uses this terminal, so that a question or a full-screen view makes sense. */
  readonly isInteractive: boolean;
  /** True with `--json`. Rarely needed: `out` decides by itself. */
  readonly isJson: boolean;
  /**
   * Aborted by SIGINT and SIGTERM. A command that never reads it is simply killed by them, as the shell expects. One
   * that does can put things in order: if it then throws, the process still dies by the signal; if it returns, that
   * was its normal end (a server that was asked to stop).
   */
  readonly signal: AbortSignal;
  /** A line for people, on standard error. Silent with `--json`: what a program must know belongs in the data. */
  readonly note: (...text: readonly Text[]) => void;
  /** Shows how far the work has come, if it takes long enough for anybody to wonder. */
  readonly progress: (label: string, total?: number) => Progress;
}
