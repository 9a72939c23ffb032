/** Extracts a worker's messages from its output: plain text, or the JSON lines of known programs. */
export type OutputFormat = 'text' | 'claude-json' | 'codex-json';

export interface Transcript {
  readonly lines: readonly string[];
  /** True if the program reports a failure, even with exit code 0. */
  readonly saysFailed: boolean;
  readonly costUsd: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

type Json = Readonly<Record<string, unknown>>;

export function readTranscript(lines: readonly string[], format: OutputFormat): Transcript {
  const none = { saysFailed: false, costUsd: null, inputTokens: null, outputTokens: null };
  if (format === 'text') return { lines, ...none };
  const said: string[] = [];
  const facts: { -readonly [Key in keyof Omit<Transcript, 'lines'>]: Transcript[Key] } = none;
  for (const line of lines) {
    const event = parsed(line);
    if (event === undefined) {
      said.push(line);
      continue;
    }
    const { texts, ...more } = format === 'claude-json' ? claudeEvent(event) : codexEvent(event);
    for (const text of texts) said.push(...text.split('\n'));
    Object.assign(facts, more);
  }
  return { lines: said, ...facts };
}

interface EventFacts extends Partial<Omit<Transcript, 'lines'>> {
  readonly texts: readonly string[];
}

/** Output of `claude -p --output-format json` or `stream-json`: messages, and a result at the end. */
function claudeEvent(event: Json): EventFacts {
  if (event['type'] === 'assistant') {
    const content = object(event['message'])['content'];
    const blocks = Array.isArray(content) ? content.map(object) : [];
    return { texts: blocks.flatMap((block) => (block['type'] === 'text' ? [String(block['text'])] : [])) };
  }
  if (event['type'] !== 'result') return { texts: [] };
  const usage = object(event['usage']);
  return {
    texts: typeof event['result'] === 'string' ? [event['result']] : [],
    saysFailed: event['is_error'] === true,
    costUsd: number(event['total_cost_usd']),
    inputTokens: number(usage['input_tokens']),
    outputTokens: number(usage['output_tokens']),
  };
}

/** Output of `codex exec --json` (OpenAI Codex): completed items, and the usage of the turn. */
function codexEvent(event: Json): EventFacts {
  const item = object(event['item']);
  if (event['type'] === 'item.completed' && item['type'] === 'agent_message') return { texts: [String(item['text'])] };
  if (event['type'] === 'turn.completed') {
    const usage = object(event['usage']);
    return { texts: [], inputTokens: number(usage['input_tokens']), outputTokens: number(usage['output_tokens']) };
  }
  if (event['type'] !== 'turn.failed' && event['type'] !== 'error') return { texts: [] };
  const message = object(event['error'])['message'] ?? event['message'];
  return { texts: typeof message === 'string' ? [message] : [], saysFailed: true };
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

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
