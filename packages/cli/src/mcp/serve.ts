import type { AnyOperation } from '@holdfast/operation';

import type { Lines } from '../host/stdin.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Operation that the tool is bound to; read by the test that checks all operations. */
  readonly operation?: AnyOperation;
  /** Returns text for the model. Errors become error results. */
  readonly call: (input: Readonly<Record<string, unknown>>) => Promise<string>;
}

interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
}

type Send = (text: string) => void;

/** Answers until the input ends. Sends each answer as soon as it is ready, so that a slow tool delays no other. */
export async function serveTools(lines: Lines, send: Send, tools: readonly Tool[], info: ServerInfo): Promise<void> {
  const asked = new Set<Promise<void>>();
  for await (const line of lines.tolerant()) {
    const replied = reply(send, answerLine(line, tools, info));
    asked.add(replied);
    void replied.finally(() => asked.delete(replied));
  }
  await Promise.all(asked);
}

/** Like `serveTools`, but runs requests one after the other and answers in that order. */
export async function serveToolsInOrder(
  lines: Lines,
  send: Send,
  tools: readonly Tool[],
  info: ServerInfo,
): Promise<void> {
  for await (const line of lines.tolerant()) {
    await reply(send, answerLine(line, tools, info, { isOrdered: true }));
  }
}

async function reply(send: Send, answering: Promise<string | undefined>): Promise<void> {
  const said = await answering;
  if (said !== undefined) send(`${said}\n`);
}

type Json = Readonly<Record<string, unknown>>;

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

class ProtocolError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Returns the reply to one line; undefined if no reply is due. `line` is undefined for invalid text. Runs the requests
 * of a batch in parallel, or one after the other where the order matters.
 */
async function answerLine(
  line: string | undefined,
  tools: readonly Tool[],
  info: ServerInfo,
  { isOrdered = false } = {},
): Promise<string | undefined> {
  if (line?.trim() === '') return undefined;
  let message: unknown;
  try {
    message = JSON.parse(line ?? '');
  } catch {
    const problem = line === undefined ? 'The message is not valid UTF-8.' : 'The message is not valid JSON.';
    return JSON.stringify(failure(null, new ProtocolError(PARSE_ERROR, problem)));
  }
  const ask = (each: unknown): Promise<Json | undefined> => answer(each, tools, info);
  // An empty batch is an invalid request.
  if (!Array.isArray(message) || message.length === 0) return toText(await ask(message));
  const answers = isOrdered ? await inOrder(message, ask) : await Promise.all(message.map(ask));
  const said = answers.filter((each) => each !== undefined);
  return said.length === 0 ? undefined : JSON.stringify(said);
}

function toText(said: Json | undefined): string | undefined {
  return said === undefined ? undefined : JSON.stringify(said);
}

async function inOrder<Given, Made>(all: readonly Given[], make: (each: Given) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  for (const each of all) made.push(await make(each));
  return made;
}

async function answer(message: unknown, tools: readonly Tool[], info: ServerInfo): Promise<Json | undefined> {
  if (!isObject(message) || message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string') {
    // Ignores responses: this server sends no requests.
    if (isObject(message) && ('result' in message || 'error' in message)) return undefined;
    return failure(null, new ProtocolError(INVALID_REQUEST, 'The message is not a JSON-RPC 2.0 request.'));
  }
  const { id, method } = message;
  // Notifications are never answered, even unknown ones.
  if (id === undefined) return undefined;
  try {
    const params = isObject(message['params']) ? message['params'] : {};
    return { jsonrpc: '2.0', id, result: await resultOf(method, params, tools, info) };
  } catch (error) {
    return failure(id, error);
  }
}

async function resultOf(method: string, params: Json, tools: readonly Tool[], info: ServerInfo): Promise<Json> {
  switch (method) {
    case 'initialize':
      return initialize(params, info);
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })) };
    case 'tools/call':
      return callTool(params, tools);
    default:
      throw new ProtocolError(METHOD_NOT_FOUND, `There is no method ${method}.`);
  }
}

function initialize(params: Json, { name, version, instructions }: ServerInfo): Json {
  const asked = params['protocolVersion'];
  const protocolVersion = VERSIONS.find((known) => known === asked) ?? VERSIONS[0];
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version }, instructions };
}

async function callTool(params: Json, tools: readonly Tool[]): Promise<Json> {
  const tool = tools.find(({ name }) => name === params['name']);
  if (tool === undefined) throw new ProtocolError(INVALID_PARAMS, `There is no tool ${String(params['name'])}.`);
  const input = isObject(params['arguments']) ? params['arguments'] : {};
  try {
    return content(await tool.call(input), false);
  } catch (error) {
    // A failing tool is a result that the model can read, not a protocol error.
    return content(describe(error), true);
  }
}

function content(text: string, isError: boolean): Json {
  return { content: [{ type: 'text', text }], isError };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const hint = 'hint' in error && typeof error.hint === 'string' && error.hint !== '' ? `\n${error.hint}` : '';
  return `${'code' in error ? `${String(error.code)}: ` : ''}${error.message}${hint}`;
}

function failure(id: unknown, error: unknown): Json {
  const code = error instanceof ProtocolError ? error.code : -32_603;
  return { jsonrpc: '2.0', id, error: { code, message: error instanceof Error ? error.message : String(error) } };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
