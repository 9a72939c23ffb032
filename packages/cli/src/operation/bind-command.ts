/**
 * Binds operations to commands. A binding adds words, flags and printing; everything else comes from the operation.
 */
import {
  type AnyOperation,
  bareField,
  type Caller,
  type Field,
  type Fields,
  type ObjectValue,
  type Operation,
  outputOf,
  runOperation,
  summaryOf,
  type ValueOf,
} from '@holdfast/operation';

import type { Page } from '../output/page.ts';
import type { CommandSpec, ExampleSpec, ExitCode } from '../spec/command.ts';
import type { ArgumentSpec, Completer, OptionSpec, OptionSpecs } from '../spec/option.ts';
import type { CommandContext } from '../spec/context.ts';

type PerField<Input extends Fields, Value> = { readonly [Name in keyof Input]?: Value };

/** Settings of one command that its operation does not define. */
export interface CommandBinding<Input extends Fields, Output extends Field> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description?: string;
  readonly group?: string;
  readonly hidden?: boolean;
  readonly examples?: readonly ExampleSpec[];
  /** Positional fields, in order. A list takes all remaining words. */
  readonly arguments?: readonly (keyof Input & string)[];
  readonly short?: PerField<Input, string>;
  /** Flags whose name differs from the field's name, for example the singular for a repeated flag. */
  readonly flags?: PerField<Input, string>;
  readonly complete?: PerField<Input, Completer>;
  readonly env?: PerField<Input, string>;
  /** Overrides the operation's defaults. */
  readonly defaults?: Partial<ObjectValue<Input>>;
  /** Values that the command implies: `task done` sets the status done. */
  readonly fixed?: Partial<ObjectValue<Input>>;
  /** Fields that the command omits. */
  readonly omit?: readonly (keyof Input & string)[];
  /** Field whose value is read from standard input if the argument is `-`. */
  readonly stdin?: keyof Input & string;
  /**
   * Options that are not part of the operation's input; they change how the command prepares its input or prints its
   * output.
   */
  readonly options?: OptionSpecs;
  readonly without?: readonly string[];
  /** Adds input that only the command can read, for example the content of a file. */
  readonly prepare?: (input: Given, context: BoundContext) => Given | Promise<Given>;
  readonly print: (output: ValueOf<Output>, page: Page, context: BoundContext) => void;
  /** Returns the exit code for an output. For example, a check that found problems exits with 1. */
  readonly exit?: (output: ValueOf<Output>, context: BoundContext) => ExitCode | undefined;
}

type Given = Readonly<Record<string, unknown>>;
type BoundContext = CommandContext<{ readonly args: Given; readonly options: Given }>;

export interface CommandHost<App> {
  /**
   * Options that every command has. An input field with the same name as one of them takes its value from that option.
   */
  readonly shared: OptionSpecs;
  /** Loads the function that opens the application for one command. */
  readonly open: () => Promise<<T>(context: BoundContext, use: (app: App) => Promise<T>) => Promise<T>>;
  /** Returns a function that runs operations on a server instead, if the command asks for that. */
  readonly remote?: (context: BoundContext) => Promise<RemoteRun> | undefined;
  readonly caller?: (context: BoundContext) => Partial<Caller>;
}

type RemoteRun = (operation: AnyOperation, given: Given) => Promise<unknown>;

/** `const command = commandsFor<Ringmaster>({…}); command(addTask, { name: 'add', … })`. */
export function commandsFor<App>(host: CommandHost<App>) {
  return function command<Input extends Fields, Output extends Field>(
    operation: Operation<App, Input, Output>,
    binding: CommandBinding<Input, Output>,
  ): CommandSpec {
    return Object.assign(specOf(operation, binding, host.shared), {
      operation,
      load: async () => ({
        run: async (context: BoundContext) => {
          const remote = host.remote?.(context);
          const open = remote === undefined ? await host.open() : undefined;
          const given = await readInput(operation.input, binding, host.shared, context);
          const caller = callerOf(host, context, binding.name);
          const output =
            open === undefined
              ? ((await (
                  await remote
                )?.(operation, given)) as ValueOf<Output>)
              : await open(context, (app) => runOperation(operation, app, given, caller));
          // Makes the copy only for JSON: for ten thousand records, copying takes as long as printing.
          const shown = context.isJson ? outputOf(operation, output) : undefined;
          const print = (page: Page): void => binding.print(output, page, context);
          if (shown !== undefined && isPage(operation.output)) {
            const { data, ...rest } = shown as { readonly data: unknown };
            context.out.result(data, print, rest);
          } else context.out.result(shown, print);
          return binding.exit?.(output, context);
        },
      }),
    });
  };
}

function callerOf<App>(host: CommandHost<App>, context: BoundContext, name: string): Caller {
  const { env } = context;
  return {
    name: env['USER'] ?? env['LOGNAME'] ?? 'unknown',
    via: name,
    face: 'cli',
    // Reading the signal installs signal handlers, which takes half a millisecond.
    get signal() {
      return context.signal;
    },
    ...host.caller?.(context),
  };
}

function specOf<Input extends Fields, Output extends Field>(
  { summary, description, input }: Operation<never, Input, Output>,
  binding: CommandBinding<Input, Output>,
  shared: OptionSpecs,
): CommandSpec {
  let options: OptionSpecs | undefined;
  const details = binding.description ?? description;
  const { name, aliases, group, hidden, examples, without } = binding;
  return {
    name,
    summary,
    ...(details === undefined ? {} : { description: details }),
    ...(aliases === undefined ? {} : { aliases }),
    ...(group === undefined ? {} : { group }),
    ...(hidden === undefined ? {} : { hidden }),
    ...(examples === undefined ? {} : { examples }),
    ...(without === undefined ? {} : { without }),
    // Computed lazily, because a process needs the arguments and options of only one of its many commands.
    get arguments() {
      return (binding.arguments ?? []).map((field) => argumentSpec(field, input, binding));
    },
    get options() {
      return (options ??= optionSpecs(input, binding, shared));
    },
  };
}

function optionSpecs(input: Fields, binding: object, shared: OptionSpecs): OptionSpecs {
  const { arguments: positional = [], options = {} } = binding as AnyBinding;
  const names = offeredFields(input, binding, shared).filter((name) => !positional.includes(name));
  const own = names.map((name) => [optionName(name, binding), optionSpec(name, input, binding)] as const);
  return { ...Object.fromEntries(own), ...options };
}

/** A binding of any operation, with fields looked up by name. */
type AnyBinding = CommandBinding<Fields, Field>;

/** Fields that become arguments or flags: all but the fixed, omitted and shared ones. */
function offeredFields(input: Fields, binding: object, shared: OptionSpecs): readonly string[] {
  const { fixed = {}, omit = [] } = binding as AnyBinding;
  return Object.keys(input).filter(
    (name) => !Object.hasOwn(fixed, name) && !omit.includes(name) && !Object.hasOwn(shared, camel(name)),
  );
}

function argumentSpec(name: string, input: Fields, binding: object): ArgumentSpec {
  const field = input[name] as Field;
  const bare = bareField(field);
  const scalar = bare.kind === 'list' ? bareField(bare.of) : bare;
  const { complete } = binding as AnyBinding;
  const completer = complete?.[name];
  const isOptional = field.kind === 'optional' || field.kind === 'default';
  return {
    name: name.replaceAll('_', '-'),
    summary: summaryOf(field),
    ...scalarSpec(scalar),
    ...(isOptional ? { optional: true } : {}),
    ...(bare.kind === 'list' ? { variadic: true } : {}),
    ...(completer === undefined ? {} : { complete: completer }),
  };
}

function optionSpec(name: string, input: Fields, binding: object): OptionSpec {
  const { short, complete, env, defaults = {} } = binding as AnyBinding;
  const field = input[name] as Field;
  const bare = bareField(field);
  const scalar = bare.kind === 'list' ? bareField(bare.of) : bare;
  const preset = Object.hasOwn(defaults, name) ? defaults[name] : field.kind === 'default' ? field.value : undefined;
  const hasDefault = typeof preset === 'string' || typeof preset === 'number' || preset === true;
  const letter = short?.[name];
  const variable = env?.[name];
  const completer = complete?.[name];
  const label = 'label' in scalar ? scalar.label : undefined;
  const isRequired = field.kind !== 'optional' && field.kind !== 'default' && preset === undefined;
  return {
    type: 'string',
    summary: summaryOf(field),
    ...scalarSpec(scalar),
    ...(bare.kind === 'boolean' ? { type: 'boolean' as const } : {}),
    ...(bare.kind === 'list' ? { multiple: true } : {}),
    ...(hasDefault ? { default: preset } : {}),
    ...(preset === true ? { negatable: true } : {}),
    ...(isRequired ? { required: true } : {}),
    ...(letter === undefined ? {} : { short: letter }),
    ...(variable === undefined ? {} : { env: variable }),
    ...(label === undefined ? {} : { value: label }),
    ...(completer === undefined ? {} : { complete: completer }),
  };
}

function scalarSpec(field: Field): Pick<ArgumentSpec, 'type' | 'choices' | 'min' | 'max'> {
  if (field.kind === 'choice') return { type: 'string', choices: field.choices };
  if (field.kind !== 'integer' && field.kind !== 'number') return { type: 'string' };
  const { kind, min, max, clamp = false } = field;
  return {
    type: kind,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined || clamp ? {} : { max }),
  };
}

async function readInput(
  input: Fields,
  binding: object,
  shared: OptionSpecs,
  context: BoundContext,
): Promise<Readonly<Record<string, unknown>>> {
  const { arguments: positional = [], fixed = {}, defaults = {}, stdin, prepare } = binding as AnyBinding;
  const given: Record<string, unknown> = { ...defaults, ...fixed };
  const isShared = (name: string): boolean => Object.hasOwn(shared, camel(name));
  for (const name of [...offeredFields(input, binding, shared), ...Object.keys(input).filter(isShared)]) {
    if (Object.hasOwn(fixed, name)) continue;
    const value = positional.includes(name)
      ? context.args[name.replaceAll('_', '-')]
      : context.options[isShared(name) ? camel(name) : optionName(name, binding)];
    const read = stdin === name && value === '-' ? (await context.stdin.text()).trimEnd() : value;
    const meant = meaning(input[name] as Field, read, context, optionName(name, binding));
    if (meant !== undefined) given[name] = meant;
  }
  return prepare === undefined ? given : prepare(given, context);
}

/** An empty word clears a nullable field. Lists and flags that are not given are left out of the input. */
function meaning(field: Field, value: unknown, context: BoundContext, option: string): unknown {
  const isNullable = field.kind === 'nullable' || (field.kind === 'optional' && field.of.kind === 'nullable');
  if (value === '' && isNullable) return null;
  if (field.kind !== 'optional' && field.kind !== 'default') return value;
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (field.kind === 'default') return value;
  if (value === false && !context.given.some(({ name }) => name === option)) return undefined;
  return value;
}

function optionName(name: string, binding: object): string {
  return camel((binding as AnyBinding).flags?.[name] ?? name);
}

function camel(name: string): string {
  return name.replaceAll(/[_-]([a-z0-9])/gu, (_match, letter: string) => letter.toUpperCase());
}

function isPage(field: Field): boolean {
  return field.kind === 'object' && Object.keys(field.fields).join().startsWith('data,next_cursor');
}
