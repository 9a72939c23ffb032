/** Standard output: one JSON document with `--json`, otherwise text. */
import type { OutputStream } from '../host/host.ts';
import { escapeJsonControls } from '../text/text.ts';
import type { Page } from './page.ts';

/** Version of the printed JSON; increased by breaking changes. */
const SCHEMA_VERSION = 1;

export interface Output {
  /** Prints the answer: `data` and `more` for programs, `show` for people. Call it once. */
  readonly result: (data: unknown, show: (page: Page) => void, more?: Readonly<Record<string, unknown>>) => void;
  /** Prints one of several answers immediately; with `--json` each is a document on its own line. */
  readonly item: (data: unknown, show: (page: Page) => void) => void;
  /** Prints bytes as they are, for example an exported file, without the JSON envelope. */
  readonly raw: (data: string | Uint8Array) => void;
}

export interface OutputState extends Output {
  /** Prints null if nothing was printed, so programs always get a document. */
  readonly finish: () => void;
}

interface OutputOptions {
  readonly isJson: boolean;
  /** Whether control characters are escaped; `--raw` turns this off. */
  readonly escapes: boolean;
}

export function createOutput(stream: OutputStream, page: Page, { isJson, escapes }: OutputOptions): OutputState {
  let hasAnswered = false;
  const answer = (data: unknown, show: (page: Page) => void, more: Readonly<Record<string, unknown>> = {}): void => {
    hasAnswered = true;
    if (isJson) stream.write(jsonDocument({ data: data ?? null, ...more }, escapes));
    else show(page);
  };
  return {
    result(data, show, more) {
      // Programs that read JSON expect one document; commands with several answers use `item`.
      if (hasAnswered) throw new TypeError('a command can print only one result');
      answer(data, show, more);
    },
    item: (data, show) => answer(data, show),
    raw(data) {
      hasAnswered = true;
      stream.write(data);
    },
    finish() {
      if (isJson && !hasAnswered) stream.write(jsonDocument({ data: null }, escapes));
    },
  };
}

export function jsonDocument(content: Readonly<Record<string, unknown>>, escapes = true): string {
  const json = `${JSON.stringify({ schema_version: SCHEMA_VERSION, ...content })}\n`;
  return escapes ? escapeJsonControls(json) : json;
}
