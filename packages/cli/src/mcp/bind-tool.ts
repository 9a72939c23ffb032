/** Binds operations to tools: name and text for the model; everything else comes from the operation. */
import {
  type Field,
  type Fields,
  jsonSchema,
  object,
  type ObjectValue,
  type Operation,
  outputOf,
  runOperation,
  type ValueOf,
} from '@holdfast/operation';

import type { Tool } from './serve.ts';

/** Settings of one tool that its operation does not define. */
export interface ToolBinding<Input extends Fields, Output extends Field> {
  readonly name: string;
  /** Replaces the operation's summary where a model needs more than a person. */
  readonly description?: string;
  /** Fields that the tool omits, because each description costs tokens in every conversation. */
  readonly omit?: readonly (keyof Input & string)[];
  readonly fixed?: Partial<ObjectValue<Input>>;
  /** Returns the text for the model; defaults to JSON. */
  readonly text?: (output: ValueOf<Output>) => string;
}

export interface ToolHost<App> {
  readonly app: App;
  /** Name of the caller in history. */
  readonly name: string;
  /** The program, for history: `np mcp`. */
  readonly program: string;
}

/** `const tool = toolsFor({ app: rm, … }); tool(addTask, { name: 'add' })`. */
export function toolsFor<App>({ app, name, program }: ToolHost<App>) {
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
      call: async (given) => {
        const caller = { name, via: `${program} ${binding.name}`, face: 'mcp' } as const;
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

/** Models send null for fields that they omit; null stays where it is a valid value. */
function withoutNulls(input: Fields, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== null || takesNull(input[name])));
}

function takesNull(field: Field | undefined): boolean {
  if (field === undefined) return false;
  return field.kind === 'nullable' || (field.kind === 'optional' && takesNull(field.of));
}
