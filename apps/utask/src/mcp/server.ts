import { isHoldfastError } from '@holdfast/base';
import { z } from 'zod';
import type { Store } from '../store/store.ts';
import { tools } from './tools.ts';

/** The newest first; a client that asks for another is offered this one. */
const PROTOCOL_VERSIONS = ['2025-06-18', '2025-03-26', '2024-11-05'];

const Request = z.looseObject({
  jsonrpc: z.literal('2.0'),
  /** Notifications have none, and get no answer. */
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
});

type Answer = Readonly<Record<string, unknown>>;

class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The Model Context Protocol, as far as tools need it. Undefined where nothing is to be answered. */
export async function answerLine(store: Store, line: string): Promise<Answer | undefined> {
  if (line.trim() === '') return undefined;
  const message = parse(line);
  if (message === undefined) return failure(null, -32_700, 'This is not JSON.');
  const request = Request.safeParse(message);
  if (!request.success) return failure(null, -32_600, 'This is no request of JSON-RPC 2.0.');
  const { id, method, params = {} } = request.data;
  if (id === undefined) return undefined;
  try {
    return { jsonrpc: '2.0', id, result: await resultOf(store, method, params) };
  } catch (error) {
    if (error instanceof RpcError) return failure(id, error.code, error.message);
    return failure(id, -32_603, error instanceof Error ? error.message : String(error));
  }
}

async function resultOf(store: Store, method: string, params: Answer): Promise<Answer> {
  if (method === 'initialize') {
    const wanted = PROTOCOL_VERSIONS.find((version) => version === params['protocolVersion']);
    return {
      protocolVersion: wanted ?? PROTOCOL_VERSIONS[0],
      capabilities: { tools: {} },
      serverInfo: { name: 'utask', version: '0.1.0' },
    };
  }
  if (method === 'ping') return {};
  if (method === 'tools/list') {
    return {
      tools: tools.map(({ name, description, input }) => ({ name, description, inputSchema: z.toJSONSchema(input) })),
    };
  }
  if (method === 'tools/call') return callTool(store, params);
  throw new RpcError(-32_601, `There is no method "${method}".`);
}

async function callTool(store: Store, params: Answer): Promise<Answer> {
  const tool = tools.find(({ name }) => name === params['name']);
  if (tool === undefined) throw new RpcError(-32_602, `There is no tool "${String(params['name'])}".`);
  const given = tool.input.safeParse(params['arguments'] ?? {});
  if (!given.success) throw new RpcError(-32_602, z.prettifyError(given.error));
  try {
    return content(JSON.stringify(await tool.call(store, given.data as never)), false);
  } catch (error) {
    // What the model can correct is a result; anything else is our mistake.
    if (!isHoldfastError(error)) throw error;
    return content(`${error.message} [${error.code}] ${error.hint}`, true);
  }
}

function content(text: string, isError: boolean): Answer {
  return { content: [{ type: 'text', text }], isError };
}

function failure(id: string | number | null, code: number, message: string): Answer {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
