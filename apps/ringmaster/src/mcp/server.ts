import { isHoldfastError } from '@holdfast/base';

import type { Ringmaster } from '../service/ringmaster.ts';
import { type Tool, tools } from './tools.ts';

/** The part of the Model Context Protocol that tools need: JSON-RPC, one message per line. */
const PROTOCOL = '2025-06-18';
const METHOD_NOT_FOUND = -32_601;
const PARSE_ERROR = -32_700;

interface Request {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: Readonly<Record<string, unknown>> };
}

export async function serve(
  rm: Ringmaster,
  lines: AsyncIterable<string>,
  send: (message: string) => void,
): Promise<void> {
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const reply = await answerTo(rm, line);
    if (reply !== undefined) send(`${JSON.stringify({ jsonrpc: '2.0', ...reply })}\n`);
  }
}

async function answerTo(rm: Ringmaster, line: string): Promise<object | undefined> {
  let request: Request;
  try {
    request = JSON.parse(line) as Request;
  } catch {
    return { id: null, error: { code: PARSE_ERROR, message: 'not JSON' } };
  }
  const { id, method, params } = request;
  // What has no id wants no answer.
  if (id === undefined) return undefined;
  if (method === 'initialize') {
    const serverInfo = { name: 'ringmaster', version: '0.1.0' };
    return { id, result: { protocolVersion: PROTOCOL, capabilities: { tools: {} }, serverInfo } };
  }
  if (method === 'ping') return { id, result: {} };
  if (method === 'tools/list') return { id, result: { tools: tools.map(described) } };
  if (method === 'tools/call') return { id, result: await called(rm, params?.name, params?.arguments ?? {}) };
  return { id, error: { code: METHOD_NOT_FOUND, message: `unknown method ${String(method)}` } };
}

function described({ name, description, required, properties }: Tool): object {
  return { name, description, inputSchema: { type: 'object', required, properties, additionalProperties: false } };
}

/** A failure of a tool is an answer that the agent can read, not a failure of the protocol. */
async function called(
  rm: Ringmaster,
  name: string | undefined,
  input: Readonly<Record<string, unknown>>,
): Promise<object> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return answer({ code: 'UNKNOWN_TOOL', message: `There is no tool ${String(name)}` }, true);
  const missing = tool.required.filter((key) => input[key] === undefined);
  if (missing.length > 0) return answer({ code: 'MISSING_ARGUMENT', message: `Needs ${missing.join(', ')}` }, true);
  try {
    return answer((await tool.call(rm, input)) ?? null, false);
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return answer({ code: error.code, message: error.message, hint: error.hint }, true);
  }
}

function answer(value: unknown, isError: boolean): object {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], isError };
}
