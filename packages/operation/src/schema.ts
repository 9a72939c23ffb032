/** A Standard Schema made from fields, for stores and other consumers of validators. */
import { check, type Issue } from './check.ts';
import { type Fields, object, type ObjectField, type ObjectValue } from './fields.ts';

export interface Schema<Value = unknown> {
  readonly field: ObjectField;
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'holdfast';
    readonly validate: (value: unknown) => { readonly value: Value } | { readonly issues: readonly Issue[] };
    readonly types?: { readonly input: unknown; readonly output: Value } | undefined;
  };
}

export function schema<const F extends Fields>(fields: F): Schema<ObjectValue<F>> {
  const field = object(fields);
  return {
    field,
    '~standard': {
      version: 1,
      vendor: 'holdfast',
      validate: (value) =>
        check(field, value) as { readonly value: ObjectValue<F> } | { readonly issues: readonly Issue[] },
    },
  };
}
