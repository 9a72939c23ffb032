/** Environment of a running command, which must not use `process` itself. */
import type { Output } from '../output/output.ts';
import type { Progress } from '../output/progress.ts';
import type { StandardInput } from '../host/stdin.ts';
import type { Text } from '../text/text.ts';

export interface GivenOption {
  readonly name: string;
  readonly value: string | number | boolean;
}

interface CommandInput {
  readonly args?: unknown;
  readonly options?: unknown;
}

export interface CommandContext<Input extends CommandInput = CommandInput> {
  readonly args: Input['args'];
  readonly options: Input['options'];
  /** Options in the order given, for commands where `-t T -d D -t T2 -d D2` means two items. */
  readonly given: readonly GivenOption[];
  /** Prints data to standard output. */
  readonly out: Output;
  readonly stdin: StandardInput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True when a person uses this terminal, so questions and full-screen views make sense. */
  readonly isInteractive: boolean;
  /** True with `--json`. Rarely needed: `out` decides by itself. */
  readonly isJson: boolean;
  /**
   * Aborted by SIGINT and SIGTERM. Signals kill a command that never reads this property, as the shell expects. A
   * command that reads it can clean up: if it then throws, the process still dies by the signal; if it returns, that is
   * a normal end (a stopped server).
   */
  readonly signal: AbortSignal;
  /** Prints a line for people on standard error. Silent with `--json`: programs read the data. */
  readonly note: (...text: readonly Text[]) => void;
  /** Shows progress if the work takes long enough. */
  readonly progress: (label: string, total?: number) => Progress;
}
