import { isId } from '../ids.ts';
import { nulIn } from '../texts.ts';
import { normalTime } from '../time.ts';

/** Kinds of lines in a Beads file. All but issues are stored and exported unchanged. */
export type BeadsLine =
  | { readonly kind: 'issue'; readonly number: number; readonly text: string; readonly issue: Issue }
  | {
      readonly kind: 'kept';
      readonly number: number;
      readonly text: string;
      readonly key: string;
      readonly what: string;
      /** The deleted issue and the time of its deletion. */
      readonly deleted?: { readonly id: string; readonly at: string | undefined };
    }
  | { readonly kind: 'bad'; readonly number: number; readonly text: string; readonly reason: string };

/** The fields of an issue that ringmaster reads. All others stay in the line unchanged. */
export interface Issue {
  readonly id: string;
  readonly title: string;
  readonly [field: string]: unknown;
}

export interface IssueLink {
  readonly depends_on_id: string;
  readonly type: string;
  /** A JSON string, as Beads writes it. */
  readonly metadata?: string | null | undefined;
  readonly created_by?: string | undefined;
}

export function readBeadsLine(text: string, number: number): BeadsLine | undefined {
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: 'bad', number, text, reason: `not JSON: ${(error as Error).message}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: 'bad', number, text, reason: 'not a JSON object' };
  }
  // Checks the text first, because searching every value of every line is slow.
  if (text.includes(String.raw`\u0000`) && nulIn(value) !== undefined) {
    return { kind: 'bad', number, text, reason: `a NUL character in ${nulIn(value)}` };
  }
  return kindOf(value as Readonly<Record<string, unknown>>, text, number);
}

function kindOf(value: Readonly<Record<string, unknown>>, text: string, number: number): BeadsLine {
  const kept = (key: string, what: string): BeadsLine => ({ kind: 'kept', number, text, key, what });
  if ('_schema' in value) return kept('0 header', 'header');
  if (value['_type'] === 'memory') return kept(`2 memory ${String(value['key'])}`, 'memory');
  const { id, title, status } = value;
  if (typeof id !== 'string' || !isId(id)) return { kind: 'bad', number, text, reason: `no usable id: ${String(id)}` };
  if (status === 'tombstone') {
    const at = [value['deleted_at'], value['updated_at']].find((time): time is string => typeof time === 'string');
    const deleted = { id, at: at === undefined ? undefined : normalTime(at) };
    return { kind: 'kept', number, text, key: issueKey(id), what: 'tombstone', deleted };
  }
  if (typeof title !== 'string' || title === '') return { kind: 'bad', number, text, reason: 'no title' };
  const type = value['_type'] ?? 'issue';
  if (type !== 'issue') return kept(issueKey(id), typeof type === 'string' ? type : 'unknown');
  return { kind: 'issue', number, text, issue: value as unknown as Issue };
}

/** Returns the key by which an export sorts all lines about this issue. */
export function issueKey(id: string): string {
  return `1 ${id}`;
}

/**
 * Returns the links of an issue. Real files have `dependencies`; the simple form of the ringmaster design document has
 * `deps`. The default type is `blocks`.
 */
export function linksOf(issue: Issue): IssueLink[] {
  const { dependencies, deps } = issue as { readonly dependencies?: unknown; readonly deps?: unknown };
  if (Array.isArray(dependencies)) {
    return dependencies.flatMap((entry: unknown) => {
      const { depends_on_id, type, metadata, created_by } = (entry ?? {}) as Readonly<Record<string, unknown>>;
      if (typeof depends_on_id !== 'string') return [];
      return [
        {
          depends_on_id,
          type: typeof type === 'string' && type !== '' ? type : 'blocks',
          metadata: typeof metadata === 'string' && metadata !== '' ? metadata : undefined,
          created_by: typeof created_by === 'string' ? created_by : undefined,
        },
      ];
    });
  }
  if (!Array.isArray(deps)) return [];
  return deps.filter((id): id is string => typeof id === 'string').map((id) => ({ depends_on_id: id, type: 'blocks' }));
}
