/**
 * The part of Standard Schema v1 (https://standardschema.dev) that Holdfast uses, so that any such validator can
 * describe values. Validation is synchronous: it runs inside scans and commits.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];

/** Returns the validated value, or the issues as one line of text. */
export function validate<Output>(
  schema: StandardSchema<Output>,
  value: unknown,
): { value: Output } | { problem: string } {
  const result = schema['~standard'].validate(value);
  if (result instanceof Promise) throw new TypeError('A schema must validate synchronously');
  return result.issues === undefined ? { value: result.value } : { problem: result.issues.map(describe).join('; ') };
}

function describe(issue: StandardIssue): string {
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}
