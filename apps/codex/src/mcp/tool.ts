import type { Tool } from '@holdfast/cli/mcp';
import { z } from 'zod';

import { codexErrors } from '../model/errors.ts';

/** A tool whose input is checked before it is called; the same schema is what the model is told. */
export function defineTool<Input extends z.ZodObject>(tool: {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly call: (input: z.output<Input>) => Promise<string>;
}): Tool {
  const { $schema: _named, ...inputSchema } = z.toJSONSchema(tool.input, { io: 'input' });
  return {
    name: tool.name,
    description: tool.description,
    inputSchema,
    call: async (given) => {
      const checked = tool.input.safeParse(given);
      if (checked.success) return tool.call(checked.data);
      const problems = checked.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
      throw codexErrors.TOOL_INPUT(problems.join('; '));
    },
  };
}
