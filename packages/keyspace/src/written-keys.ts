import type { KeyRange } from './keys/template.ts';
import { compareKeys } from './keys/order.ts';

/**
 * The writes of a transaction by key, sorted from the first range read on, so mixing thousands of writes with range
 * reads stays fast.
 */
export class WrittenKeys<Value> extends Map<string, Value> {
  #sorted: string[] | undefined;

  override set(key: string, value: Value): this {
    if (this.#sorted !== undefined && !this.has(key)) this.#sorted.splice(this.#position(key), 0, key);
    return super.set(key, value);
  }

  /** Returns the entries inside a range, in order. */
  inside({ gte, lt }: KeyRange): (readonly [string, Value])[] {
    if (this.size === 0) return [];
    this.#sorted ??= [...this.keys()].sort(compareKeys);
    const keys = this.#sorted.slice(this.#position(gte), this.#position(lt));
    return keys.map((key) => [key, this.get(key) as Value] as const);
  }

  /** Number of smaller keys. */
  #position(key: string): number {
    const sorted = this.#sorted ?? [];
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(sorted[middle] as string, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
