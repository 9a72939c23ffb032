import type { z } from 'zod';

import { httpErrors } from '../errors.ts';

export interface FieldError {
  /** `params`, `query`, `headers` or `body`. */
  readonly in: string;
  /** JSON pointer to the field; empty for the whole part. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

const FIELD_ERRORS_MAX = 50;

/** Checks all parts of a request and reports all problems at once. */
export class Validation {
  readonly #errors: FieldError[] = [];

  check(part: string, schema: z.ZodType | undefined, value: unknown): unknown {
    if (schema === undefined) return undefined;
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) this.#errors.push(...fieldErrors(part, issue));
    return undefined;
  }

  done(): void {
    if (this.#errors.length === 0) return;
    const errors = this.#errors.slice(0, FIELD_ERRORS_MAX);
    const [first] = errors;
    const more = this.#errors.length > 1 ? ` (and ${this.#errors.length - 1} more)` : '';
    throw httpErrors.VALIDATION_FAILED(`${first?.in}${first?.path}: ${first?.message}${more}`, { details: { errors } });
  }
}

function fieldErrors(part: string, issue: z.core.$ZodIssue): readonly FieldError[] {
  // An unknown key is reported at that key, not at the object around it.
  const places = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
  return places.map((path) => ({ in: part, path: pointer(path), code: issue.code, message: issue.message }));
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
