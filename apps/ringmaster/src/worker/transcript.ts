/** Extracts a worker's messages from its output: plain text, or the JSON lines of known agents. */
import type { Usage } from '../model/budget.ts';
import type { OutputFormat } from '../model/presets.ts';

interface Facts {
  /** True if the agent reports a failure, even with exit code 0. */
  readonly saysFailed: boolean;
  /** HTTP status of the failed request to the model, if the agent reports it. */
  readonly apiStatus: number | null;
  /** Id with which a later turn continues the conversation. */
  readonly session: string | null;
  readonly costUsd: number | null;
  /** Includes tokens read from or written to a cache. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

export interface Transcript extends Facts {
  readonly lines: readonly string[];
  /** Tool calls that were not permitted, such as `Bash (npm test)`. */
  readonly denials: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

const none: Facts = {
  saysFailed: false,
  apiStatus: null,
  session: null,
  costUsd: null,
  inputTokens: null,
  outputTokens: null,
};

export function readTranscript(lines: readonly string[], format: OutputFormat): Transcript {
  if (format === 'text') return { ...none, lines, denials: [] };
  const denials = new Set<string>();
  let text = '';
  const facts = { ...none };
  const readEvent = readers[format]();
  for (const line of lines) {
    const event = parsed(line);
    if (event === undefined) {
      text += `\n${line}`;
      continue;
    }
    const { said = [], piece, did: _did, denied = [], ...more } = readEvent(event);
    // Some agents stream one message as several events.
    text += piece ?? said.map((message) => `\n${message}`).join('');
    for (const one of denied) denials.add(one);
    Object.assign(facts, more);
  }
  return { ...facts, lines: text.split('\n').slice(1), denials: [...denials] };
}

/** Turns an agent's output into text for people: its messages and tool calls instead of JSON. */
export class ReadableOutput {
  readonly #readEvent: ((event: Json) => EventFacts) | undefined;
  #lastMessage = '';
  /** Whether the text so far ends within a message that the agent streams in parts. */
  #isInMessage = false;

  constructor(format: OutputFormat) {
    this.#readEvent = format === 'text' ? undefined : readers[format]();
  }

  /** True if the output is text for people already. */
  get isPlain(): boolean {
    return this.#readEvent === undefined;
  }

  /** Takes text that consists of whole lines. */
  read(text: string): string {
    const { length } = text;
    if (this.isPlain || length === 0) return text;
    return text
      .slice(0, text.endsWith('\n') ? length - 1 : length)
      .split('\n')
      .map((line) => this.#readLine(line))
      .join('');
  }

  #readLine(line: string): string {
    const event = parsed(line);
    if (event === undefined) return this.#block([line]);
    const { said = [], piece, did = [], denied = [] } = this.#readEvent?.(event) ?? {};
    if (piece !== undefined) {
      this.#isInMessage = !piece.endsWith('\n');
      return piece;
    }
    // Claude Code repeats its last message as the result of the turn.
    const messages = said.filter((message) => message !== this.#lastMessage);
    this.#lastMessage = said.at(-1) ?? this.#lastMessage;
    return this.#block([
      ...messages.filter((message) => message !== ''),
      ...did.map((call) => `→ ${call}`),
      ...denied.map((call) => `✗ Not permitted: ${call}`),
    ]);
  }

  #block(lines: readonly string[]): string {
    if (lines.length === 0) return '';
    const start = this.#isInMessage ? '\n' : '';
    this.#isInMessage = false;
    return `${start}${lines.join('\n')}\n`;
  }
}

/**
 * Adds up the usage that an agent reports while it runs, so that a budget can stop the agent and a stopped turn is
 * still counted.
 */
export class UsageMeter {
  readonly #readEvent: ((event: Json) => EventFacts) | undefined;
  /** Tokens of Claude's messages by message id. One message may be printed as several events. */
  readonly #messages = new Map<string, { readonly input: number; readonly output: number }>();
  #facts = none;
  #rest = '';
  #hasEnded = false;

  constructor(format: OutputFormat) {
    this.#readEvent = format === 'text' ? undefined : readers[format]();
  }

  read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = this.#readEvent === undefined ? undefined : parsed(line);
      if (event !== undefined) this.#add(event);
      else if (this.#readEvent === undefined) this.#addReport(line);
    }
  }

  /** Aider reports after each message: `Tokens: 2.3k sent, 112 received. Cost: $0.01 message, $0.02 session.` */
  #addReport(line: string): void {
    const [, sent, received] = /^Tokens: ([\d.]+k?) sent,.*?\b([\d.]+k?) received\./.exec(line) ?? [];
    const [, cost] = /(?:^|received\. )Cost: \$([\d.]+) message,/.exec(line) ?? [];
    const { costUsd, inputTokens, outputTokens } = this.#facts;
    this.#facts = {
      ...this.#facts,
      costUsd: plus(costUsd, cost),
      inputTokens: plus(inputTokens, sent),
      outputTokens: plus(outputTokens, received),
    };
  }

  #add(event: Json): void {
    const { said: _said, piece: _piece, did: _did, denied: _denied, ...facts } = this.#readEvent?.(event) ?? {};
    this.#facts = { ...this.#facts, ...facts };
    this.#hasEnded ||= event['type'] === 'result' || event['type'] === 'turn.completed';
    const message = object(event['message']);
    const usage = object(message['usage']);
    if (event['type'] !== 'assistant' || Object.keys(usage).length === 0) return;
    const output = number(usage['output_tokens']) ?? 0;
    this.#messages.set(String(message['id']), { input: claudeInput(usage) ?? 0, output });
  }

  /**
   * Returns whether the agent is still running and has used at least this much. An agent that printed its result is not
   * stopped. Nor is Aider, because it reports the usage of a message before it applies the changes in the message.
   */
  exceeds({ usd, tokens }: Usage): boolean {
    if (this.#readEvent === undefined) return false;
    const { costUsd, inputTokens, outputTokens } = this.#soFar();
    return !this.#hasEnded && ((costUsd ?? 0) >= usd || (inputTokens ?? 0) + (outputTokens ?? 0) >= tokens);
  }

  /**
   * Returns the larger of the metered usage and the usage at the end of the output, because output beyond the cap does
   * not reach the meter.
   */
  total(end: Pick<Facts, 'costUsd' | 'inputTokens' | 'outputTokens'>): typeof end {
    const seen = this.#soFar();
    return {
      costUsd: larger(end.costUsd, seen.costUsd),
      inputTokens: larger(end.inputTokens, seen.inputTokens),
      outputTokens: larger(end.outputTokens, seen.outputTokens),
    };
  }

  /** Returns the usage in the result of the turn; until the result is printed, the sum of the messages so far. */
  #soFar(): Pick<Facts, 'costUsd' | 'inputTokens' | 'outputTokens'> {
    const { costUsd, inputTokens, outputTokens } = this.#facts;
    if (inputTokens !== null || this.#messages.size === 0) return { costUsd, inputTokens, outputTokens };
    const messages = [...this.#messages.values()];
    return {
      costUsd,
      inputTokens: messages.reduce((sum, { input }) => sum + input, 0),
      outputTokens: messages.reduce((sum, { output }) => sum + output, 0),
    };
  }
}

/** Adds a number that Aider printed, such as `112` or `2.3k`. */
function plus(sum: number | null, printed: string | undefined): number | null {
  if (printed === undefined) return sum;
  return (sum ?? 0) + Math.round(Number.parseFloat(printed) * (printed.endsWith('k') ? 1_000 : 1) * 1e6) / 1e6;
}

function larger(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

interface EventFacts extends Partial<Facts> {
  readonly said?: readonly string[];
  readonly piece?: string;
  /** Tool calls, for people who read the log. */
  readonly did?: readonly string[];
  readonly denied?: readonly string[];
}

const readers: Readonly<Record<Exclude<OutputFormat, 'text'>, () => (event: Json) => EventFacts>> = {
  'claude-json': () => claudeEvent,
  'codex-json': () => codexEvent,
  'gemini-json': geminiReader,
  'opencode-json': opencodeReader,
};

/** Reads the output of `claude -p --output-format stream-json` and of Cursor's `agent -p`: messages, then a result. */
function claudeEvent(event: Json): EventFacts {
  const known = event['session_id'];
  const session = typeof known === 'string' ? { session: known } : {};
  if (event['type'] === 'assistant') {
    const blocks = objects(object(event['message'])['content']);
    return {
      ...session,
      said: blocks.flatMap((block) => (block['type'] === 'text' ? [String(block['text'])] : [])),
      did: blocks.flatMap((block) => (block['type'] === 'tool_use' ? [toolCall(block['name'], block['input'])] : [])),
    };
  }
  if (event['type'] === 'tool_call') {
    const call = object(event['tool_call']);
    const did = event['subtype'] === 'started' ? Object.entries(call).map(cursorCall) : [];
    return { ...session, did, denied: rejectedByCursor(call) };
  }
  if (event['type'] !== 'result') return session;
  const usage = object(event['usage']);
  return {
    ...session,
    said: typeof event['result'] === 'string' ? [event['result']] : texts(event['errors']),
    denied: objects(event['permission_denials']).map((denial) => toolCall(denial['tool_name'], denial['tool_input'])),
    saysFailed: event['is_error'] === true,
    apiStatus: number(event['api_error_status']),
    costUsd: number(event['total_cost_usd']),
    inputTokens: claudeInput(usage),
    outputTokens: number(usage['output_tokens']),
  };
}

/** Claude's input tokens, including those written to or read from its cache; null if it reports none. */
function claudeInput(usage: Json): number | null {
  const names = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];
  if (!names.some((name) => Object.hasOwn(usage, name))) return null;
  return names.reduce((sum, name) => sum + (number(usage[name]) ?? 0), 0);
}

/** Reads Cursor's rejected tool calls: `{ shellToolCall: { args, result: { rejected: … } } }`. */
function rejectedByCursor(call: Json): readonly string[] {
  return Object.entries(call).flatMap(([name, details]) => {
    const result = object(object(details)['result']);
    return 'rejected' in result || 'permissionDenied' in result ? [cursorCall([name, details])] : [];
  });
}

function cursorCall([name, details]: readonly [string, unknown]): string {
  return toolCall(name.replace(/ToolCall$/, ''), object(details)['args']);
}

/** Reads the output of `codex exec --json` (OpenAI Codex): completed items, and the usage of the turn. */
function codexEvent(event: Json): EventFacts {
  const item = object(event['item']);
  if (event['type'] === 'thread.started') return { session: String(event['thread_id']) };
  if (event['type'] === 'item.completed') {
    if (item['type'] === 'agent_message') return { said: [String(item['text'])] };
    const isTool = item['type'] !== 'reasoning' && item['type'] !== 'error';
    if (item['status'] === 'declined') return { denied: [toolCall(item['type'], item)] };
    return isTool ? { did: [toolCall(item['type'], item)] } : {};
  }
  if (event['type'] === 'turn.completed') {
    const usage = object(event['usage']);
    return { inputTokens: number(usage['input_tokens']), outputTokens: number(usage['output_tokens']) };
  }
  if (event['type'] !== 'turn.failed' && event['type'] !== 'error') return {};
  const message = object(event['error'])['message'] ?? event['message'];
  // An error event may be followed by a successful retry, but a failed turn is final.
  return { said: texts([message]), ...(event['type'] === 'turn.failed' ? { saysFailed: true } : {}) };
}

/** Reads Gemini CLI's `--output-format stream-json`: parts of messages, tool calls by id, then a result. */
function geminiReader(): (event: Json) => EventFacts {
  const calls = new Map<unknown, string>();
  return (event) => {
    const error = object(event['error']);
    switch (event['type']) {
      case 'init':
        return { session: String(event['session_id']) };
      case 'message':
        if (event['role'] !== 'assistant') return {};
        return event['delta'] === true ? { piece: String(event['content']) } : { said: [String(event['content'])] };
      case 'tool_use':
        calls.set(event['tool_id'], toolCall(event['tool_name'], event['parameters']));
        return { said: [''], did: [calls.get(event['tool_id']) ?? ''] };
      case 'tool_result': {
        const said = texts([error['message'], event['output']]).join('\n');
        const isDenied = error['type'] === 'policy_violation' || /denied by policy/i.test(said);
        return isDenied ? { denied: [calls.get(event['tool_id']) ?? String(event['tool_id'])] } : {};
      }
      case 'result': {
        const stats = object(event['stats']);
        return {
          said: texts([error['message']]),
          saysFailed: event['status'] === 'error',
          inputTokens: number(stats['input_tokens']),
          outputTokens: number(stats['output_tokens']),
        };
      }
      default:
        return {};
    }
  };
}

/** Reads the output of `opencode run --format json`: parts of messages, and cost and tokens of each step. */
function opencodeReader(): (event: Json) => EventFacts {
  const total = { costUsd: 0, inputTokens: 0, outputTokens: 0 };
  return (event) => {
    if (event['type'] !== 'step_finish') return opencodeEvent(event);
    const { cost, tokens } = object(event['part']);
    total.costUsd += number(cost) ?? 0;
    const { read, write } = object(object(tokens)['cache']);
    // OpenCode does not count cached tokens as input.
    for (const count of [object(tokens)['input'], read, write]) total.inputTokens += number(count) ?? 0;
    total.outputTokens += number(object(tokens)['output']) ?? 0;
    return { ...opencodeEvent(event), ...total };
  };
}

function opencodeEvent(event: Json): EventFacts {
  const part = object(event['part']);
  const session = typeof event['sessionID'] === 'string' ? { session: event['sessionID'] } : {};
  if (event['type'] === 'text') return { ...session, said: [String(part['text'])] };
  if (event['type'] === 'tool_use') {
    const { error, input } = object(part['state']);
    const isDenied = /rejected permission|prevents you from using/.test(String(error));
    const call = [toolCall(part['tool'], input)];
    return { ...session, ...(isDenied ? { denied: call } : { did: call }) };
  }
  if (event['type'] !== 'error') return session;
  const error = object(event['error']);
  const details = object(error['data']);
  const message = details['message'] ?? error['message'] ?? error['name'];
  return { ...session, said: texts([message]), saysFailed: true, apiStatus: number(details['statusCode']) };
}

const DETAIL_CHARACTERS = 80;

/** Returns a short description, such as `Bash (npm test)` or `Edit (src/cart.ts)`. */
function toolCall(name: unknown, input: unknown): string {
  const { command, file_path, path } = object(input);
  const [detail] = texts([command, file_path, path]);
  return detail === undefined ? String(name) : `${String(name)} (${detail.slice(0, DETAIL_CHARACTERS)})`;
}

function parsed(line: string): Json | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return object(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function objects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
