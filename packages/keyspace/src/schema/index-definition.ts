import { keyspaceErrors } from '../errors.ts';
import type { PlaceholderValue } from '../keys/placeholders.ts';
import { Template } from '../keys/template.ts';

/**
 * A secondary index: keys derived from a record's value and written in the same commit. `key` is a template such as
 * `idx/{tag}/{id}`. The value of a placeholder comes from the function with that name in `from`, otherwise from the
 * record's field with that name, otherwise from the record's key. A list produces one index key per item; a missing or
 * null value produces none.
 */
export interface IndexOptions<Value, Key> {
  readonly key: string;
  /** The value stored under each index key: '' (the default), '1', or '{name}' for that placeholder or field. */
  readonly value?: string;
  /** If true, two records must not share an index key. */
  readonly unique?: boolean;
  /** Decides whether a record is indexed; by default, every record is. */
  readonly when?: (value: Value, key: Key) => boolean;
  /** Functions that compute placeholders, for example a lower-case form. */
  readonly from?: Readonly<Record<string, (value: Value, key: Key) => IndexPart>>;
  /**
   * Returns groups of placeholder values; each group produces one index key. For example, a book may be number 1 in one
   * series and number 3 in another.
   */
  readonly each?: (value: Value, key: Key) => readonly Readonly<Record<string, PlaceholderValue>>[];
}

type IndexPart = PlaceholderValue | readonly PlaceholderValue[] | null | undefined;

export type IndexEntry = readonly [key: string, value: string];

type Fields = Readonly<Record<string, unknown>>;
type AnyIndexOptions = IndexOptions<never, never>;

export class IndexDefinition {
  readonly name: string;
  readonly template: Template;
  readonly unique: boolean;
  readonly #primary: Template;
  readonly #options: AnyIndexOptions;
  readonly #storedField: string | undefined;

  constructor(name: string, primary: Template, options: AnyIndexOptions) {
    this.name = name;
    this.template = new Template(options.key);
    this.unique = options.unique ?? false;
    this.#primary = primary;
    this.#options = options;
    this.#storedField = /^\{(\w+)\}$/.exec(options.value ?? '')?.[1];
    this.#checkThatRecordsCanBeFound();
  }

  entries(value: unknown, key: Fields): IndexEntry[] {
    const { when } = this.#options;
    if (when !== undefined && !when(value as never, key as never)) return [];
    const stored = this.#stored(value, key);
    const groups: readonly Fields[] = this.#options.each?.(value as never, key as never) ?? [{}];
    return groups.flatMap((group) => this.#entriesOf(group, value, key, stored));
  }

  #entriesOf(group: Fields, value: unknown, key: Fields, stored: string): IndexEntry[] {
    const parts: Record<string, unknown> = {};
    for (const placeholder of this.template.placeholderNames) {
      const part = group[placeholder] ?? this.#part(placeholder, value, key);
      if (part === null || part === undefined) return [];
      parts[placeholder] = part;
    }
    return combinations(parts).map((made) => [this.template.encode(made), stored]);
  }

  /** Returns the key of the record that an index entry points to. */
  primaryKey(indexKey: string, stored: unknown): Fields | undefined {
    const values = this.template.decode(indexKey);
    if (values === undefined) return undefined;
    return this.#storedField === undefined ? values : { [this.#storedField]: stored, ...values };
  }

  #stored(value: unknown, key: Fields): string {
    const field = this.#storedField;
    if (field === undefined) return this.#options.value ?? '';
    const part = this.#part(field, value, key);
    if (typeof part !== 'string')
      throw keyspaceErrors.VALUE_INVALID(`${this.name} stores {${field}}, which is not text`);
    return part;
  }

  #part(placeholder: string, value: unknown, key: Fields): unknown {
    const compute = this.#options.from?.[placeholder];
    if (compute !== undefined) return compute(value as never, key as never);
    // Prefers the record's field, because the key may contain only a shortened text.
    return (value as Fields)[placeholder] ?? key[placeholder];
  }

  #checkThatRecordsCanBeFound(): void {
    const known = new Set([...this.template.placeholderNames, this.#storedField]);
    const missing = this.#primary.placeholderNames.filter((placeholder) => !known.has(placeholder));
    if (missing.length > 0) {
      throw new TypeError(
        `The index ${this.name} (${this.template.source}) does not lead back to ${this.#primary.source}: ` +
          `{${missing[0]}} is neither in its key nor its stored value`,
      );
    }
    const inKey = this.#primary.placeholderNames.every((placeholder) =>
      this.template.placeholderNames.includes(placeholder),
    );
    if (!inKey && !this.unique) {
      throw new TypeError(`The index ${this.name} (${this.template.source}) can hold only one record: mark it unique`);
    }
  }
}

/** Returns every combination that takes one item from each list. There is almost always only one combination. */
function combinations(parts: Fields): readonly Fields[] {
  let made: readonly Fields[] = [parts];
  for (const [placeholder, part] of Object.entries(parts)) {
    if (!Array.isArray(part)) continue;
    const items = [...new Set<unknown>(part)];
    made = made.flatMap((rest) => items.map((item) => ({ ...rest, [placeholder]: item })));
  }
  return made;
}
