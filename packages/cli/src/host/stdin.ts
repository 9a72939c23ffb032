import { isUtf8 } from 'node:buffer';
import { MEBIBYTE } from '@holdfast/base';
import { commandLineErrors } from '../errors.ts';

export interface StandardInput {
  /** True if a person would have to type the input. */
  readonly isTerminal: boolean;
  /** Reads everything as text. By convention a command calls this when an argument is `-`. */
  readonly text: (limitBytes?: number) => Promise<string>;
  readonly bytes: (limitBytes?: number) => Promise<Uint8Array>;
  /** Yields the lines without their line breaks, for input of any length. Throws if a line is not valid UTF-8. */
  readonly lines: () => AsyncIterable<string>;
}

const INPUT_LIMIT_BYTES: number = 64 * MEBIBYTE;
const LINE_LIMIT_BYTES: number = 16 * MEBIBYTE;

export function standardInput(isTerminal: () => boolean): StandardInput {
  return {
    get isTerminal() {
      return isTerminal();
    },
    text: (limitBytes = INPUT_LIMIT_BYTES) => readText(process.stdin, limitBytes),
    bytes: (limitBytes = INPUT_LIMIT_BYTES) => readBytes(process.stdin, limitBytes),
    lines: () => splitLines(process.stdin),
  };
}

export async function readBytes(chunks: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Uint8Array> {
  const received: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > limitBytes) throw tooLarge(`more than ${limitBytes} bytes`);
    received.push(chunk);
  }
  return Buffer.concat(received);
}

export async function readText(chunks: AsyncIterable<Uint8Array>, limitBytes: number): Promise<string> {
  const bytes = await readBytes(chunks, limitBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw notText(error);
  }
}

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';

export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let beginning: Uint8Array[] = [];
  let length = 0;
  let isFirst = true;
  const decode = (...end: readonly Uint8Array[]): readonly string[] => {
    const [first = '', ...others] = decodedLines(Buffer.concat([...beginning, ...end]));
    const bare = isFirst && first.startsWith(BYTE_ORDER_MARK) ? first.slice(1) : first;
    [beginning, length, isFirst] = [[], 0, false];
    return [bare, ...others];
  };
  for await (const chunk of chunks) {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last >= 0) yield* decode(chunk.subarray(0, last));
    beginning.push(chunk.subarray(last + 1));
    length += chunk.length - last - 1;
    if (length > LINE_LIMIT_BYTES) throw tooLarge(`a line of more than ${LINE_LIMIT_BYTES} bytes`);
  }
  if (length > 0) yield* decode();
}

function decodedLines(bytes: Buffer): readonly string[] {
  if (!isUtf8(bytes)) throw notText();
  return bytes.toString().split('\n').map(withoutCarriageReturn);
}

function withoutCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function notText(cause?: unknown): Error {
  return commandLineErrors.INPUT_NOT_TEXT('Standard input is not valid UTF-8 text.', { cause });
}

function tooLarge(what: string): Error {
  return commandLineErrors.INPUT_TOO_LARGE(`Standard input has ${what}.`);
}
