/** Options and arguments as data for parsing, help and completion. */
export interface OptionSpec {
  readonly type: 'boolean' | 'string' | 'number' | 'integer';
  /** One line for help and completion, without a full stop. */
  readonly summary: string;
  /** One letter: `-t` is the short form of `--title`. */
  readonly short?: string;
  /** Name of the value in help; defaults to the option's name. */
  readonly value?: string;
  /** Value for an option that is given without a value, as the last argument or directly before another option. */
  readonly bare?: string;
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
  /** Environment variable that is read when the option is not given; commas separate several values. */
  readonly env?: string;
  /** May be repeated; the values form a list. */
  readonly multiple?: boolean;
  readonly required?: boolean;
  /** A boolean that is on by default and has `--no-<name>`; help shows that form. */
  readonly negatable?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** Hides the option from help and completion; it still works. */
  readonly hidden?: boolean;
  /** Heading in help; defaults to "Options". */
  readonly group?: string;
  readonly complete?: Completer;
}

/** Options by name in camel case: `allTags` is written `--all-tags` on the command line. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export interface ArgumentSpec {
  readonly name: string;
  readonly summary: string;
  readonly type?: 'string' | 'number' | 'integer';
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly optional?: boolean;
  /**
   * Takes all remaining words: at least one, unless the argument is optional. Only the last argument can be variadic.
   */
  readonly variadic?: boolean;
  readonly complete?: Completer;
}

type ScalarOf<Spec> = Spec extends { readonly type: 'boolean' }
  ? boolean
  : Spec extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : Spec extends { readonly type: 'number' | 'integer' }
      ? number
      : string;

type AlwaysPresent = { readonly required: true } | { readonly default: string | number | boolean };

type OptionValue<Spec> = Spec extends { readonly multiple: true }
  ? readonly ScalarOf<Spec>[]
  : Spec extends { readonly type: 'boolean' } | AlwaysPresent
    ? ScalarOf<Spec>
    : ScalarOf<Spec> | undefined;

export type OptionValues<Specs extends OptionSpecs> = string extends keyof Specs
  ? unknown // Without specs, values are unknown.
  : { readonly [Name in keyof Specs]: OptionValue<Specs[Name]> };

type ArgumentValue<Spec> = Spec extends { readonly variadic: true }
  ? readonly ScalarOf<Spec>[]
  : Spec extends { readonly optional: true }
    ? ScalarOf<Spec> | undefined
    : ScalarOf<Spec>;

export type ArgumentValues<Specs extends readonly ArgumentSpec[]> = string extends Specs[number]['name']
  ? unknown
  : { readonly [Spec in Specs[number] as Spec['name']]: ArgumentValue<Spec> };

/** A completion, for example the id of an open task. */

export interface Candidate {
  readonly value: string;
  readonly summary?: string;
}

export interface CompletionRequest {
  /** Start of the word at the cursor. Candidates that do not begin with it are dropped. */
  readonly typed: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface CompleterModule {
  readonly complete: (request: CompletionRequest) => readonly Candidate[] | Promise<readonly Candidate[]>;
}

/** Paths are completed by the shell; other candidates come from a module loaded on demand. */
export type Completer = 'file' | 'directory' | (() => Promise<CompleterModule>);
