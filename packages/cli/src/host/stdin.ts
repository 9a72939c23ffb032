import { MEBIBYTE } from '@holdfast/base';
import { commandLineErrors } from '../errors.ts';

export interface StandardInput {
  /** Somebody would have to type the input. */
  readonly isTerminal: boolean;
  /** All of it, as text. By convention a command calls this when an argument is `-`. */
  readonly text: (limitBytes?: number) => Promise<string>;
  /** Line by line, without the line ends, for input of any length. */
  readonly lines: () => AsyncIterable<string>;
}

const TEXT_LIMIT_BYTES: number = 64 * MEBIBYTE;
const LINE_LIMIT_CHARACTERS: number = 16 * MEBIBYTE;

export function standardInput(isTerminal: () => boolean): StandardInput {
  return {
    get isTerminal() {
      return isTerminal();
    },
    text: (limitBytes = TEXT_LIMIT_BYTES) => readText(process.stdin, limitBytes),
    lines: () => splitLines(process.stdin),
  };
}

export async function readText(chunks: AsyncIterable<Uint8Array>, limitBytes: number): Promise<string> {
  const received: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > limitBytes) throw tooLarge(`more than ${limitBytes} bytes`);
    received.push(chunk);
  }
  return decoded(new TextDecoder('utf-8', { fatal: true }), Buffer.concat(received));
}

export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    const pieces = (rest + decoded(decoder, chunk, true)).split('\n');
    rest = pieces.pop() ?? '';
    if (rest.length > LINE_LIMIT_CHARACTERS) throw tooLarge(`a line of more than ${LINE_LIMIT_CHARACTERS} characters`);
    for (const line of pieces) yield withoutCarriageReturn(line);
  }
  rest += decoded(decoder, new Uint8Array(), false);
  if (rest !== '') yield withoutCarriageReturn(rest);
}

function decoded(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, stream = false): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch (error) {
    throw commandLineErrors.INPUT_NOT_TEXT('Standard input is not valid UTF-8 text.', { cause: error });
  }
}

function withoutCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function tooLarge(what: string): Error {
  return commandLineErrors.INPUT_TOO_LARGE(`Standard input holds ${what}.`);
}
