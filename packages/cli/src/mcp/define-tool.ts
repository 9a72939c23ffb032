import { commandLineErrors } from '../errors.ts';
import type { Tool } from './tool.ts';

/** The part of a zod schema that is used here, so that other commands do not load zod. */
interface InputSchema<Input> {
  readonly toJSONSchema: (options: { readonly io: 'input' }) => object;
  readonly safeParse: (given: unknown) => { readonly success: true; readonly data: Input } | Refused;
}

interface Refused {
  readonly success: false;
  readonly error: { readonly issues: readonly Issue[] };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Validates the input with the schema that is published to the model. Results that are not text become JSON. */
export function defineTool<Input>(tool: {
  readonly name: string;
  readonly description: string;
  readonly input: InputSchema<Input>;
  readonly call: (input: Input) => unknown;
}): Tool {
  const { $schema: _named, ...inputSchema } = tool.input.toJSONSchema({ io: 'input' }) as Record<string, unknown>;
  return {
    name: tool.name,
    description: tool.description,
    inputSchema,
    call: async (given) => {
      const checked = tool.input.safeParse(given);
      if (!checked.success) throw commandLineErrors.TOOL_INPUT(checked.error.issues.map(problem).join('; '));
      const said = await tool.call(checked.data);
      return typeof said === 'string' ? said : JSON.stringify(said ?? null);
    },
  };
}

function problem({ path, message }: Issue): string {
  return `${path.map(String).join('.') || 'input'}: ${message}`;
}
