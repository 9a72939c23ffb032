/**
 * Serves our tools with the official server library. Loading this library takes longer than loading all of np, so only
 * MCP servers import it.
 */
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';

import type { Tool } from './bind-tool.ts';

export { createMcpHandler } from '@modelcontextprotocol/server';
export { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
}

/** Runs `work`, or queues it behind earlier work. */
export type Schedule = <T>(work: () => Promise<T>) => Promise<T>;

export interface ServedTools {
  /** Tools that `tools/list` shows; clients can also call tools that are not listed. */
  readonly listed?: readonly Tool[];
  readonly tools: readonly Tool[];
  readonly schedule?: Schedule;
}

const atOnce: Schedule = (work) => work();

export function toolServer(info: ServerInfo, { tools, listed = tools, schedule = atOnce }: ServedTools): Server {
  const { name, version, instructions } = info;
  const server = new Server({ name, version }, { capabilities: { tools: {} }, instructions });
  const shown = listed.map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: { ...tool.inputSchema, type: 'object' as const },
  }));
  server.setRequestHandler('tools/list', () => ({ tools: shown }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq: { signal } }) => {
    const tool = tools.find((each) => each.name === params.name);
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    }
    return schedule(() => resultOf(tool, params.arguments ?? {}, signal));
  });
  return server;
}

interface ToolResult {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  isError: boolean;
}

/** If a tool fails, returns a result that the model can read, not a protocol error. */
async function resultOf(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    return content(await tool.call(input, signal), false);
  } catch (error) {
    return content(describe(error), true);
  }
}

function content(text: string, isError: boolean): ToolResult {
  return { content: [{ type: 'text', text }], isError };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const hint = 'hint' in error && typeof error.hint === 'string' && error.hint !== '' ? `\n${error.hint}` : '';
  return `${'code' in error ? `${String(error.code)}: ` : ''}${error.message}${hint}`;
}
