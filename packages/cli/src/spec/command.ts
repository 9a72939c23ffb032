/**
 * Commands as data for help, completion and parsing. A command's module is loaded only when the command runs, so a
 * program with many subcommands starts fast.
 */
import type { AnyOperation } from '@holdfast/operation';

import type { CommandContext } from './context.ts';
import type { ArgumentSpec, ArgumentValues, OptionSpecs, OptionValues } from './option.ts';

export interface ExampleSpec {
  readonly command: string;
  readonly summary: string;
}

/** `run` returns a non-zero code if the command worked but its output reports problems. */
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
  /** Heading in the parent's help; defaults to "Commands". */
  readonly group?: string;
  readonly hidden?: boolean;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: OptionSpecs;
  /** Options of this command and its subcommands; they may precede a subcommand's name. */
  readonly sharedOptions?: OptionSpecs;
  /** Inherited shared options that this command rejects, because they have no meaning for it. */
  readonly without?: readonly string[];
  readonly examples?: readonly ExampleSpec[];
  readonly commands?: readonly CommandSpec[];
  /** Operation that the command runs; read by the test that checks all operations. */
  readonly operation?: AnyOperation;
  /**
   * Commands that share this name; an option selects the one that runs. Read by the test that checks all operations.
   */
  readonly alternatives?: readonly CommandSpec[];
  // `never`, because each command has its own context type; defineCommand has already checked it.
  readonly load?: () => Promise<CommandModule<never>>;
}

export interface ProgramSpec extends CommandSpec {
  readonly version: string;
  /** Programs for which `completion install` installs completion; if undefined, the command does not exist. */
  readonly completes?: readonly string[];
}

type TypedCommand<
  Arguments extends readonly ArgumentSpec[],
  Options extends OptionSpecs,
  Inherited extends OptionSpecs,
> = Omit<CommandSpec, 'arguments' | 'options' | 'load'> & {
  readonly arguments?: Arguments;
  readonly options?: Options;
  /** Inherited shared options that this command reads. Listing them here gives their values a type. */
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
 * Describes a command and checks that its module's `run` accepts these arguments and options.
 *
 * The module declares its needs in plain types, `run(context: CommandContext<{ args: { id: string } }>)`, without
 * importing the description, so there is no import cycle.
 */
export function defineCommand<
  const Arguments extends readonly ArgumentSpec[],
  const Options extends OptionSpecs,
  const Inherited extends OptionSpecs,
>(spec: TypedCommand<Arguments, Options, Inherited>): CommandSpec {
  return spec;
}

/** Describes a program: the top command, with a version. */
export function defineProgram<
  const Arguments extends readonly ArgumentSpec[],
  const Options extends OptionSpecs,
  const Inherited extends OptionSpecs,
>(spec: TypedCommand<Arguments, Options, Inherited> & Pick<ProgramSpec, 'version' | 'completes'>): ProgramSpec {
  return spec;
}
