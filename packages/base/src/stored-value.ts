export type StoredValue = string | Uint8Array;

export function sameStored(left: StoredValue | undefined, right: StoredValue | undefined): boolean {
  if (left === right) return true;
  if (!(left instanceof Uint8Array) || !(right instanceof Uint8Array)) return false;
  return Buffer.compare(left, right) === 0;
}
