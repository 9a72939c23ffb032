import { describe, expect, it } from 'vitest';
import { createProgressLine, progressText } from './progress.ts';

function terminal(isTerminal = true) {
  const written: string[] = [];
  return {
    written,
    stream: { isTerminal, columns: 80, write: (data: string | Uint8Array) => void written.push(String(data)) },
  };
}

describe('progress', () => {
  it('shows nothing for the first 300 ms, then at most ten times a second', () => {
    const { written, stream } = terminal();
    let time = 0;
    const bar = createProgressLine(stream, () => time).start('copying', 100);
    for (; time < 1_000; time += 10) bar.advance();
    expect(written).toHaveLength(7);
    expect(written[0]).toContain('copying');
    bar.finish();
    expect(written.at(-1)).toBe('\r\u001b[K');
  });

  it('shows nothing at all where there is no terminal', () => {
    const { written, stream } = terminal(false);
    let time = 0;
    const bar = createProgressLine(stream, () => time).start('copying', 100);
    for (; time < 1_000; time += 10) bar.advance();
    bar.finish();
    expect(written).toEqual([]);
  });

  it('says how far it is and how long it will take', () => {
    const state = { label: 'copying', done: 25, total: 100, elapsedMs: 2_000 };
    expect(progressText(state)).toBe('copying ██████░░░░░░░░░░░░░░░░░░ 25% 25/100 6 s left');
    expect(progressText({ ...state, elapsedMs: 600_000 })).toMatch(/30 min 0 s left$/u);
    expect(progressText({ ...state, elapsedMs: 6_000_000 })).toMatch(/5 h 0 min left$/u);
    expect(progressText({ ...state, total: undefined })).toBe('copying 25');
    expect(progressText({ ...state, done: 200 })).toMatch(/100% 200\/100 0 s left$/u);
    expect(progressText({ ...state, label: '\u001b[2J' })).not.toContain('\u001b');
  });
});
