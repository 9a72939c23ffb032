/**
 * Errors that people and programs can act on.
 *
 * A package declares its errors once, in a table. The table creates the errors, determines exit code and HTTP status
 * (by `kind`), and generates docs/errors.md. Codes never change their meaning; messages may.
 */

/** Determines a command's exit code and the HTTP status. */
export type ErrorKind = 'failed' | 'usage' | 'not_found' | 'conflict' | 'unavailable';

export const exitCodeByKind = {
  failed: 1,
  usage: 2,
  not_found: 3,
  conflict: 4,
  unavailable: 5,
} as const satisfies Record<ErrorKind, number>;

export interface ErrorDefinition {
  readonly kind: ErrorKind;
  /** One sentence for docs/errors.md that says when the error occurs. */
  readonly means: string;
  /** Advice shown below the message. */
  readonly hint: string;
}

export interface ErrorOptions {
  readonly cause?: unknown;
  /** Replaces the hint in the table. */
  readonly hint?: string;
  /** Data for programs, for example the candidates of an ambiguous name. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export class HoldfastError extends Error {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly hint: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: string, definition: ErrorDefinition, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HoldfastError';
    this.code = code;
    this.kind = definition.kind;
    this.hint = options.hint ?? definition.hint;
    this.details = options.details;
  }
}

export type ErrorFactory = ((message: string, options?: ErrorOptions) => HoldfastError) & {
  readonly code: string;
  readonly definition: ErrorDefinition;
};

export type ErrorTable<Code extends string> = { readonly [C in Code]: ErrorFactory };

/** Turns a table of definitions into a table of functions: `throw storeErrors.STORE_FULL('…', { cause })`. */
export function defineErrors<const Code extends string>(
  definitions: Readonly<Record<Code, ErrorDefinition>>,
): ErrorTable<Code> {
  const table: Partial<Record<Code, ErrorFactory>> = {};
  for (const code of Object.keys(definitions) as Code[]) {
    const definition = definitions[code];
    const build = (message: string, options?: ErrorOptions) => new HoldfastError(code, definition, message, options);
    build.code = code;
    build.definition = definition;
    table[code] = build;
  }
  return Object.freeze(table) as ErrorTable<Code>;
}

export function isHoldfastError(value: unknown, code?: string): value is HoldfastError {
  return value instanceof HoldfastError && (code === undefined || value.code === code);
}

/** Shared by tables and keyspaces. */
export const schemaErrors: ErrorTable<'SCHEMA_NEWER' | 'MIGRATION_FAILED' | 'VALUE_UNREADABLE'> = defineErrors({
  SCHEMA_NEWER: {
    kind: 'unavailable',
    means: 'A newer version of the program wrote the database.',
    hint: 'Upgrade this program; an older version could damage data that it does not understand.',
  },
  MIGRATION_FAILED: {
    kind: 'failed',
    means: 'A schema migration failed and was rolled back; the database is as it was before that step.',
    hint: 'Correct the cause given in the message and try again; completed steps do not run again.',
  },
  VALUE_UNREADABLE: {
    kind: 'failed',
    means: 'A stored value does not match the schema of its record: it was damaged, or another program wrote it.',
    hint:
      'Run `holdfast verify --repair` on this database. It restores the value from the journal, or moves the value ' +
      'out of the way.',
  },
});

/** Shared by the data home and the databases in it. */
export const permissionErrors: ErrorTable<'STORE_PERMISSION'> = defineErrors({
  STORE_PERMISSION: {
    kind: 'failed',
    means: 'The operating system does not allow Holdfast to open or write the file.',
    hint: 'Check the owner and mode of the file and of its folder.',
  },
});
