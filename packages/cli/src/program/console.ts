/** The two output streams of a command, kept clear of the progress line. */
import type { Host, OutputStream } from '../host/host.ts';
import { createOutput } from '../output/output.ts';
import type { OutputState } from '../output/output.ts';
import { createPage } from '../output/page.ts';
import type { Page } from '../output/page.ts';
import { createProgressLine } from '../output/progress.ts';
import type { ProgressLine } from '../output/progress.ts';
import { usesColour } from '../text/colour.ts';

export interface ConsoleOptions {
  readonly isJson: boolean;
  readonly isColourWanted: boolean;
}

export interface Console {
  readonly isJson: boolean;
  readonly out: OutputState;
  /** Standard error, for people. */
  readonly notes: Page;
  readonly progress: ProgressLine;
}

export function createConsole(host: Host, { isJson, isColourWanted }: ConsoleOptions): Console {
  const progress = createProgressLine(host.stderr);
  const stdout = clearedBefore(host.stdout, progress);
  const stderr = clearedBefore(host.stderr, progress);
  const pageOn = (stream: OutputStream): Page =>
    createPage(stream, () => usesColour({ env: host.env, isTerminal: stream.isTerminal, isWanted: isColourWanted }));
  return {
    isJson,
    out: createOutput(stdout, pageOn(stdout), isJson),
    notes: pageOn(stderr),
    progress,
  };
}

function clearedBefore(stream: OutputStream, progress: ProgressLine): OutputStream {
  return {
    get isTerminal() {
      return stream.isTerminal;
    },
    get columns() {
      return stream.columns;
    },
    write(data) {
      progress.clear();
      stream.write(data);
    },
  };
}
