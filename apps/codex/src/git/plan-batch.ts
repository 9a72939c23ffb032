import { formatIdentity, type Identity, parseIdentity } from '../model/git/author.ts';
import type { PendingRow } from '../model/git/pending-row.ts';
import { EXECUTABLE_MODE, FILE_MODE, FOLDER_MODE, type TreeEntry } from '../model/git/tree-entry.ts';
import type { FoldedChange } from './fold-pending.ts';

/** One line of a commit. */
export type PlannedChange = PlannedDelete | PlannedWrite;

interface PlannedDelete {
  readonly kind: 'delete';
  readonly path: string;
  readonly before: TreeEntry;
}

interface PlannedWrite {
  readonly kind: 'write';
  readonly path: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry;
  /** Row with the content; undefined when the repository has it. */
  readonly source: PendingRow | undefined;
}

/** One commit per author. */
export interface PlannedCommit {
  readonly author: Identity;
  readonly changes: readonly PlannedChange[];
  readonly eventIds: readonly number[];
}

interface RefusedChange {
  readonly path: string;
  readonly reason: string;
}

export interface BatchPlan {
  readonly commits: readonly PlannedCommit[];
  /** Rows finished by this batch, without those of held paths. */
  readonly rows: readonly PendingRow[];
  /** Paths that stay out of git, with the reason. */
  readonly refused: readonly RefusedChange[];
  /** Paths that the user has staged and will commit. */
  readonly held: readonly string[];
}

export interface PlanInput {
  readonly rows: readonly PendingRow[];
  readonly changes: readonly FoldedChange[];
  readonly tipEntry: (path: string) => TreeEntry | undefined;
  /** Blob id of a row, and whether the repository has the blob. */
  readonly blobOf: (row: PendingRow) => { readonly oid: string; readonly isStored: boolean };
  /** Reason to keep a path out of git, if any. */
  readonly refusal: (path: string, written: PendingRow | undefined) => string | undefined;
  readonly isStagedByUser: (path: string) => boolean;
  /** True if the user committed a later state of the path, and the disk has that state. */
  readonly isOvertaken: (path: string) => boolean;
  /** For changes made outside of codex, and for events without an author. */
  readonly fallbackAuthor: Identity;
}

/**
 * Plans one commit per author, in order of first appearance, without changes that the tip already has and without paths
 * that the user will commit.
 */
export function planBatch(input: PlanInput): BatchPlan {
  const refused: RefusedChange[] = [];
  const held: string[] = [];
  const heldRows = new Set<PendingRow>();
  const groups = new Groups(input.fallbackAuthor);
  for (const change of input.changes) {
    const planned = planChange(change, input);
    if (planned === undefined || input.isOvertaken(change.path)) continue;
    const written = change.result !== undefined && 'written' in change.result ? change.result.written : undefined;
    const reason = planned.kind === 'write' ? input.refusal(change.path, written) : undefined;
    if (reason !== undefined) refused.push({ path: change.path, reason });
    else if (isUsers(change, input)) {
      held.push(change.path);
      for (const row of change.rows) heldRows.add(row);
    } else groups.add(change, planned);
  }
  const commits = withoutUndoing(groups.commits());
  return { commits, rows: input.rows.filter((row) => !heldRows.has(row)), refused, held };
}

interface Group {
  readonly author: Identity;
  readonly changes: PlannedChange[];
  readonly eventIds: number[];
}

class Groups {
  readonly #fallback: Identity;
  readonly #byIdentity = new Map<string, Group>();
  /** Cache: parsing identities is slow and a batch has few. Undefined stands for changes by hand. */
  readonly #byWriter = new Map<string | undefined, Group>();

  constructor(fallback: Identity) {
    this.#fallback = fallback;
  }

  add(change: FoldedChange, planned: PlannedChange): void {
    const writer = change.isExternal ? undefined : change.author;
    const group = this.#byWriter.get(writer) ?? this.#groupOf(writer);
    this.#byWriter.set(writer, group);
    group.changes.push(planned);
    // Events that have been removed have no id.
    for (const { eventId } of change.rows) if (eventId > 0) group.eventIds.push(eventId);
  }

  commits(): readonly PlannedCommit[] {
    return [...this.#byIdentity.values()];
  }

  #groupOf(writer: string | undefined): Group {
    const author = parseIdentity(writer, this.#fallback);
    const key = formatIdentity(author);
    const group = this.#byIdentity.get(key) ?? { author, changes: [], eventIds: [] };
    this.#byIdentity.set(key, group);
    return group;
  }
}

/** Only an edit by hand of this one file can wait for the user. */
function isUsers(change: FoldedChange, input: PlanInput): boolean {
  return (
    change.isExternal &&
    change.rows.every((row) => row.kind !== 'rename' && row.path === change.path) &&
    input.isStagedByUser(change.path)
  );
}

function planChange(change: FoldedChange, { tipEntry, blobOf }: PlanInput): PlannedChange | undefined {
  const { path, result } = change;
  const before = tipEntry(path);
  if (result === undefined) {
    return before === undefined || before.mode === FOLDER_MODE ? undefined : { kind: 'delete', path, before };
  }
  const written = 'written' in result ? result.written : undefined;
  const blob = written === undefined ? undefined : blobOf(written);
  const source = blob?.isStored === false ? written : undefined;
  const after = 'moved' in result ? result.moved : { mode: modeOf(result.written), oid: blob?.oid ?? '' };
  if (before !== undefined && before.mode === after.mode && before.oid === after.oid) return undefined;
  return { kind: 'write', path, before, after, source };
}

function modeOf(row: PendingRow): string {
  return row.isExecutable ? EXECUTABLE_MODE : FILE_MODE;
}

/**
 * A later commit must not delete what an earlier one created: if one author replaced the file `a` by `a/b`, the
 * deletion of `a` by another is already part of it.
 */
function withoutUndoing(commits: readonly PlannedCommit[]): PlannedCommit[] {
  const foldersWritten = new Set<string>();
  const kept: PlannedCommit[] = [];
  for (const commit of commits) {
    const changes = commit.changes.filter(({ kind, path }) => kind === 'write' || !foldersWritten.has(path));
    for (const { kind, path } of changes) if (kind === 'write') addFolders(foldersWritten, path);
    const last = kept.at(-1);
    // An empty commit passes its events to the one before it.
    if (changes.length > 0) kept.push({ ...commit, changes });
    else if (last !== undefined) kept[kept.length - 1] = { ...last, eventIds: [...last.eventIds, ...commit.eventIds] };
  }
  return kept;
}

function addFolders(folders: Set<string>, path: string): void {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) folders.add(path.slice(0, end));
}
