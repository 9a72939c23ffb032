import type { StoredValue } from '@holdfast/base';

export function valueLine(stored: StoredValue | undefined): string {
  if (stored === undefined) return '∅';
  return typeof stored === 'string' ? stored : `0x${Buffer.from(stored).toString('hex')}`;
}
