import { SECOND } from '@holdfast/base';

/** `[2026-01-26T10:30:00Z]`: as in the ringmaster design document, log timestamps have no fractions of a second. */
function stamp(milliseconds: number): string {
  return `[${new Date(milliseconds).toISOString().slice(0, 19)}Z]`;
}

export function logHead(worker: string, iteration: number, now: number): string {
  return `${stamp(now)} Worker: ${worker}\n${stamp(now)} Starting iteration ${iteration}\n\n`;
}

export function logEnd(result: string, durationMs: number, now: number): string {
  const what = result === 'success' ? '✓ Task complete' : `✗ ${result.replaceAll('_', ' ')}`;
  return `\n${stamp(now)} ${what}\n${stamp(now)} Duration: ${durationText(durationMs)}\n`;
}

/** Returns the heading of a later step of the same turn, such as the tests. */
export function logSection(title: string, now: number): string {
  return `\n${stamp(now)} ${title}\n\n`;
}

function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / SECOND);
  return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`;
}
