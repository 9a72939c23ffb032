/** Standard output: one document of data with `--json`, text for people without. */
import type { OutputStream } from '../host/host.ts';
import { escapeJsonForTerminal } from '../text/escape.ts';
import type { Page } from './page.ts';

/** The shape of all JSON that commands print; a change that could break a reader raises it. */
const SCHEMA_VERSION = 1;

export interface Output {
  /** The answer of the command: `data` for programs, with `more` beside it, and `show` for people. Call it once. */
  readonly result: (data: unknown, show: (page: Page) => void, more?: Readonly<Record<string, unknown>>) => void;
  /** One of many answers, printed at once: with `--json` each is a document on a line of its own. */
  readonly item: (data: unknown, show: (page: Page) => void) => void;
  /** Bytes that are the product themselves, for example an exported file. Whoever wants an envelope gives a result. */
  readonly raw: (data: string | Uint8Array) => void;
}

export interface OutputState extends Output {
  /** Programs may rely on a document in any case: a command that had nothing to say answers null. */
  readonly finish: () => void;
}

export function createOutput(stream: OutputStream, page: Page, isJson: boolean): OutputState {
  let hasAnswered = false;
  const answer = (data: unknown, show: (page: Page) => void, more: Readonly<Record<string, unknown>> = {}): void => {
    hasAnswered = true;
    if (isJson) stream.write(jsonDocument({ data: data ?? null, ...more }, stream.isTerminal));
    else show(page);
  };
  return {
    result(data, show, more) {
      // A reader of JSON expects one document; many are fine, but then each is an item.
      if (hasAnswered) throw new TypeError('a command gives its result once');
      answer(data, show, more);
    },
    item: (data, show) => answer(data, show),
    raw(data) {
      hasAnswered = true;
      stream.write(data);
    },
    finish() {
      if (isJson && !hasAnswered) stream.write(jsonDocument({ data: null }, stream.isTerminal));
    },
  };
}

export function jsonDocument(content: Readonly<Record<string, unknown>>, isTerminal: boolean): string {
  const json = `${JSON.stringify({ schema_version: SCHEMA_VERSION, ...content })}\n`;
  return isTerminal ? escapeJsonForTerminal(json) : json;
}
