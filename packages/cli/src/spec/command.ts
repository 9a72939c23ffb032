/**
 * Commands as data. Help, completion and parsing read it; only running a command loads the module behind it. A
 * command that names fifty others therefore starts as fast as one that names none.
 */
import type { AnyOperation } from '@holdfast/operation';

import type { CommandContext } from './context.ts';
import type { ArgumentSpec, ArgumentValues, OptionSpecs, OptionValues } from './option.ts';

export interface ExampleSpec {
  readonly command: string;
  readonly summary: string;
}

/** `run` returns a code other than 0 if the data itself is bad news, for example problems that a check found. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5;

type Run<Context> = (context: Context) => void | ExitCode | Promise<void | ExitCode>;

export interface CommandModule<Context> {
  readonly run: Run<Context>;
}

/** A command, a group of commands, or both: `np t` lists tasks, `np t a` adds one. */
export interface CommandSpec {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line, without a full stop. */
  readonly summary: string;
  /** Shown by help below the summary. */
  readonly description?: string;
  /** Heading in the help of the group above, "Commands" if left out. */
  readonly group?: string;
  readonly hidden?: boolean;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: OptionSpecs;
  /** Options of this command and of all below it; they may stand before the name of a command below. */
  readonly sharedOptions?: OptionSpecs;
  /** Shared options of a command above that mean nothing here: they are refused, rather than ignored. */
  readonly without?: readonly string[];
  readonly examples?: readonly ExampleSpec[];
  readonly commands?: readonly CommandSpec[];
  /** The operation that the command is bound to; the test of all operations reads it. */
  readonly operation?: AnyOperation;
  // `never` because each command has its own context; defineCommand has checked that this one fits.
  readonly load?: () => Promise<CommandModule<never>>;
}

export interface ProgramSpec extends CommandSpec {
  readonly version: string;
}

type TypedCommand<
  Arguments extends readonly ArgumentSpec[],
  Options extends OptionSpecs,
  Inherited extends OptionSpecs,
> = Omit<CommandSpec, 'arguments' | 'options' | 'load'> & {
  readonly arguments?: Arguments;
  readonly options?: Options;
  /** Shared options of a command above that this one reads, so that their types are known here. */
  readonly inherits?: Inherited;
  readonly load?: () => Promise<
    CommandModule<
      CommandContext<{
        readonly args: ArgumentValues<Arguments>;
        readonly options: OptionValues<Options> & OptionValues<Inherited>;
      }>
    >
  >;
};

/**
 * Describes a command and checks that the `run` of the module it loads accepts what these arguments and options give.
 *
 * The module states what it needs in plain types, `run(context: CommandContext<{ args: { id: string } }>)`, and does
 * not import the description: so there is no cycle between the two.
 */
export function defineCommand<
  const Arguments extends readonly ArgumentSpec[],
  const Options extends OptionSpecs,
  const Inherited extends OptionSpecs,
>(spec: TypedCommand<Arguments, Options, Inherited>): CommandSpec {
  return spec;
}

/** Describes a whole program: the command at the top, with a version. */
export function defineProgram<
  const Arguments extends readonly ArgumentSpec[],
  const Options extends OptionSpecs,
  const Inherited extends OptionSpecs,
>(spec: TypedCommand<Arguments, Options, Inherited> & { readonly version: string }): ProgramSpec {
  return spec;
}
