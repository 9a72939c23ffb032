import type { Change } from '../api/types.ts';

export function recordsFirst(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted((left, right) => Number(isIndex(left)) - Number(isIndex(right)));
}

function isIndex({ key }: Change): boolean {
  return /(?:^|[/:])idx[/:]/.test(key);
}
