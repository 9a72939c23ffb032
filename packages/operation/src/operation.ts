/**
 * An operation as data: input, output, errors and permission. Command line, HTTP, MCP, OpenAPI, help, completion, the
 * typed client and the permission test derive from it.
 */
import type { ErrorFactory } from '@holdfast/base';

import { check, type Issue, project } from './check.ts';
import { type Field, type Fields, type GivenObject, object, type ObjectValue, type ValueOf } from './fields.ts';
import { operationErrors } from './errors.ts';

export type Face = 'cli' | 'http' | 'mcp';

export interface Caller {
  /** Name in logs and history. */
  readonly name: string;
  /** How the operation was called, for the history: command line, route or tool. Example: `np t a -t Tests`. */
  readonly via: string;
  readonly face: Face;
  /** Account on the server. Undefined on the command line, where the caller is the operating system's user. */
  readonly userId?: string | undefined;
  readonly permissions?: readonly string[] | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type Permission = 'public' | `${string}:${string}`;

export interface Operation<
  App = never,
  Input extends Fields = Fields,
  Output extends Field = Field,
  Access extends Permission = Permission,
> {
  /** Noun and verb: `task.add`. */
  readonly name: string;
  /** Starts with a verb and has no full stop: "Add a task". */
  readonly summary: string;
  readonly description?: string;
  readonly permission: Access;
  readonly input: Input;
  readonly output: Output;
  readonly errors?: readonly ErrorFactory[];
  /** Reason why a face does not offer this operation. A test requires one for every missing face. */
  readonly absent?: { readonly [F in Face]?: string };
  /**
   * Loads the implementation, which is the same for every face: plain input, plain output, errors with codes. It may
   * return more fields than the output names; faces drop those.
   */
  readonly run: () => Promise<
    (app: App, input: ObjectValue<Input>, caller: Caller) => ValueOf<Output> | Promise<ValueOf<Output>>
  >;
}

// oxlint-disable-next-line typescript/no-explicit-any -- `never` would refuse every concrete operation
export type AnyOperation = Operation<any, any, any>;

export type InputOf<O> = O extends { readonly input: infer Input } ? ObjectValue<Input> : never;
export type GivenTo<O> = O extends { readonly input: infer Input } ? GivenObject<Input> : never;
export type OutputOf<O> = O extends { readonly output: infer Output } ? ValueOf<Output> : never;

/**
 * Returns a `defineOperation` for one application: the application's type is named once, all other types are inferred.
 */
export function operationsOf<App>() {
  return function defineOperation<
    const Input extends Fields,
    const Output extends Field,
    const Access extends Permission,
  >(operation: Operation<App, Input, Output, Access>): Operation<App, Input, Output, Access> {
    return operation;
  };
}

/** Validates the input, loads the implementation and runs it. Every face calls this function. */
export async function runOperation<App, Input extends Fields, Output extends Field>(
  operation: Operation<App, Input, Output>,
  app: App,
  given: unknown,
  caller: Caller,
): Promise<ValueOf<Output>> {
  const input = inputOf(operation, given);
  const run = await operation.run();
  return run(app, input as ObjectValue<Input>, caller);
}

/** Returns the validated input with its defaults; throws INPUT_INVALID. */
export function inputOf(operation: AnyOperation, given: unknown): unknown {
  const checked = check(object(operation.input as Fields), given);
  if ('value' in checked) return checked.value;
  throw operationErrors.INPUT_INVALID(checked.issues.map(issueText).join('; '), {
    details: { errors: checked.issues },
  });
}

function issueText({ path, message }: Issue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

/** Returns the output with only the fields that the operation names. */
export function outputOf(operation: AnyOperation, output: unknown): unknown {
  return project(operation.output as Field, output);
}
