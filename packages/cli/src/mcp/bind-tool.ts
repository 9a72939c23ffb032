/**
 * Binds operations to tools. A binding adds a name and a text for the model; everything else comes from the operation.
 */
import {
  type AnyOperation,
  type Caller,
  type Field,
  type Fields,
  jsonSchema,
  object,
  type ObjectValue,
  type Operation,
  outputOf,
  type Permission,
  runOperation,
  type ValueOf,
} from '@holdfast/operation';

import type { ServerInfo } from './server.ts';

/** A tool for a model. Errors from `call` become results that the model can read. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly operation: AnyOperation;
  /** Returns text for the model. `signal` aborts when the client cancels the call. */
  readonly call: (input: Readonly<Record<string, unknown>>, signal?: AbortSignal) => Promise<string>;
}

/** The user or agent that calls tools. Without an account, this is the operating system's user. */
export type ToolCaller = Pick<Caller, 'name' | 'userId' | 'permissions'>;

/** An application's tools for agents on other machines. */
export interface RemoteTools {
  readonly server: ServerInfo;
  /** Required to connect. */
  readonly permission: Permission;
  /** Returns the tools for one request. `query` is the query string of its URL: `?session=…`. */
  readonly open: (caller: ToolCaller, query: URLSearchParams) => readonly Tool[] | Promise<readonly Tool[]>;
}

/** Settings of one tool that its operation does not define. */
export interface ToolBinding<Input extends Fields, Output extends Field> {
  readonly name: string;
  /** Replaces the operation's summary where a model needs more than a person. */
  readonly description?: string;
  /** Input fields that the tool does not offer, because each description costs tokens in every conversation. */
  readonly omit?: readonly (keyof Input & string)[];
  readonly fixed?: Partial<ObjectValue<Input>>;
  /** Returns the text for the model; defaults to JSON. */
  readonly text?: (output: ValueOf<Output>) => string;
}

export interface ToolHost<App> {
  readonly app: App;
  readonly caller: ToolCaller;
  /** The program name in the history: `np mcp`. */
  readonly program: string;
}

/** `const tool = toolsFor({ app: rm, … }); tool(addTask, { name: 'add' })`. */
export function toolsFor<App>({ app, caller: who, program }: ToolHost<App>) {
  return function tool<Input extends Fields, Output extends Field>(
    operation: Operation<App, Input, Output>,
    binding: ToolBinding<Input, Output>,
  ): Tool {
    const { omit = [], fixed = {}, text } = binding;
    const hidden = new Set<string>([...omit, ...Object.keys(fixed)]);
    const offered = Object.fromEntries(Object.entries(operation.input).filter(([field]) => !hidden.has(field)));
    return {
      name: binding.name,
      description: binding.description ?? operation.summary,
      inputSchema: jsonSchema(object(offered)),
      operation,
      call: async (given, signal) => {
        const caller = { ...who, via: `${program} ${binding.name}`, face: 'mcp', signal } as const;
        const output = await runOperation(
          operation,
          app,
          { ...withoutNulls(operation.input, given), ...fixed },
          caller,
        );
        return text === undefined ? JSON.stringify(outputOf(operation, output) ?? null) : text(output);
      },
    };
  };
}

/** Models send null for fields that they mean to omit. Removes these nulls, except where null is a valid value. */
function withoutNulls(input: Fields, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== null || takesNull(input[name])));
}

function takesNull(field: Field | undefined): boolean {
  if (field === undefined) return false;
  return field.kind === 'nullable' || (field.kind === 'optional' && takesNull(field.of));
}
