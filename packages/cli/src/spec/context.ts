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
  /** True when a person uses this terminal and can answer questions or use full-screen views. */
  readonly isInteractive: boolean;
  /** True with `--json`. Commands rarely need it, because `out` chooses the format itself. */
  readonly isJson: boolean;
  /**
   * Aborted by SIGINT and SIGTERM. If a command never reads this property, these signals kill it, as the shell expects.
   * A command that reads it can clean up. If the command then throws, the signal ends the process; if it returns, the
   * process ends normally.
   */
  readonly signal: AbortSignal;
  /** Prints a line for people to standard error. With `--json`, prints nothing, because programs read only the data. */
  readonly note: (...text: readonly Text[]) => void;
  /** Shows progress if the work takes long enough. */
  readonly progress: (label: string, total?: number) => Progress;
}
