import { diff3Merge } from 'node-diff3';

/** A row of `remotes`. */
export interface RemoteRow {
  readonly id: number;
  readonly notebook_id: number;
  readonly name: string;
  readonly url: string;
  readonly branch: string;
  readonly allows_path: number;
  readonly key_file: string | null;
  /** Encrypted. */
  readonly token: string | null;
  readonly created_at: string;
  readonly tip: string | null;
  readonly tried_at: string | null;
  readonly synced_at: string | null;
  readonly failures: number;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly skipped: string;
}

const RETRY_FIRST_SECONDS = 30;

/**
 * Returns the time of the next scheduled sync, in milliseconds since 1970. After a failure, the first retry comes
 * early; the delay doubles with each failure, up to twelve intervals.
 */
export function dueAt(
  { tried_at, failures }: Pick<RemoteRow, 'tried_at' | 'failures'>,
  intervalSeconds: number,
): number {
  if (tried_at === null) return 0;
  const retry = Math.min(intervalSeconds * 12, RETRY_FIRST_SECONDS * 2 ** (failures - 1));
  return Date.parse(tried_at) + 1_000 * (failures === 0 ? intervalSeconds : retry);
}

/**
 * Merges two changes to a text, line by line. Returns undefined if both changed the same lines, or if a version is not
 * text.
 */
export function mergeTexts(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): Uint8Array | undefined {
  const texts = [ours, base, theirs].map(textOf);
  if (texts.some((text) => text === undefined)) return undefined;
  const [a = [], o = [], b = []] = texts.map(linesOf);
  const regions = diff3Merge(a, o, b, { excludeFalseConflicts: true });
  if (regions.some(({ conflict }) => conflict !== undefined)) return undefined;
  return Buffer.from(regions.flatMap(({ ok }) => ok ?? []).join(''), 'utf8');
}

/** Returns the lines with their line breaks, so that joining them gives the text. */
function linesOf(text = ''): string[] {
  return text.split(/(?<=\n)/u);
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export interface ConflictStage {
  readonly mode: string;
  readonly oid: string;
  /** 1 is the common ancestor, 2 our version, 3 theirs. */
  readonly stage: number;
  readonly path: string;
}

/** Parses the output of `git merge-tree --write-tree -z --no-messages`. */
export function parseMergeTree(output: string): { readonly tree: string; readonly stages: readonly ConflictStage[] } {
  const [tree = '', ...lines] = output.split('\0');
  const stages = lines.flatMap((line): ConflictStage[] => {
    const [, mode = '', oid = '', stage = '', path = ''] = /^(\d+) ([0-9a-f]+) ([123])\t(.+)$/su.exec(line) ?? [];
    return path === '' ? [] : [{ mode, oid, stage: Number(stage), path }];
  });
  return { tree: tree.trim(), stages };
}
