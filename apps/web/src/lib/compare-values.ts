export type Sortable = string | number | null;

/** Sorts `np 2` before `np 10`, and treats `Ada` and `ada` as equal. */
const words = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

export function compareValues(left: Sortable | undefined, right: Sortable | undefined): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return words.compare(String(left ?? ''), String(right ?? ''));
}
