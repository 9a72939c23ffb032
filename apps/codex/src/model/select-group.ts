import { batchOf, type FileEvent, operationOf } from './event.ts';
import type { CreateOperation, Operation, UpdateOperation } from './operation.ts';
import { ancestorsOf, type NotebookPath, pathKey } from './path.ts';

/** An event that is about to run, with the operation that results from folding. */
export interface SelectedEvent {
  readonly event: FileEvent;
  /** Null if nothing is left to do. */
  readonly operation: Operation | null;
  readonly content: Uint8Array | null;
  /** Earlier events that were folded into this one. */
  readonly absorbed: readonly number[];
}

export interface Selection {
  readonly group: readonly SelectedEvent[];
  /** A requested commit, if all events before it are done. */
  readonly commit: FileEvent | undefined;
  readonly nextRunAt: number | undefined;
}

interface Slot {
  event: FileEvent;
  operation: Operation | null;
  content: Uint8Array | null;
  absorbed: number[];
}

/**
 * Selects events that can run together, in order of id. Skips events that conflict with an earlier unfinished one.
 * Operations on one path or of one batch keep their order. A retry delays only events that depend on it.
 */
export function selectGroup(waiting: readonly FileEvent[], now: number, limit: number): Selection {
  const scan = new Scan(limit, now);
  for (const event of waiting) scan.visit(event);
  return scan.result();
}

/** Selects only requests from callers. A request still waits for earlier changes by other programs on the same path. */
export function selectRequests(waiting: readonly FileEvent[], now: number, limit: number): Selection {
  const scan = new Scan(limit, now);
  for (const event of waiting) {
    if (event.event_type === 'sync') scan.block(event);
    else scan.visit(event);
  }
  return scan.result();
}

class Scan {
  readonly #limit: number;
  readonly #now: number;
  readonly #slots: Slot[] = [];
  /** Paths of unfinished events that are not in the group. */
  readonly #blocked = new BusyPaths();
  readonly #grouped = new BusyPaths();
  readonly #slotByPath = new Map<string, Slot>();
  readonly #busyFiles = new Set<string>();
  readonly #openBatches = new Set<string>();
  readonly #spellings = new Map<string, string>();
  #unfinished = 0;
  #commit: FileEvent | undefined;
  #nextRunAt: number | undefined;

  constructor(limit: number, now: number) {
    this.#limit = limit;
    this.#now = now;
  }

  visit(event: FileEvent): void {
    if (event.event_type === 'batch_commit') {
      if (this.#unfinished === 0 && event.status === 'pending') this.#commit ??= event;
      return;
    }
    if (event.status !== 'pending' || !this.#isDue(event)) return this.block(event);
    this.#unfinished += 1;
    const batch = batchOf(event);
    if (batch !== null && this.#openBatches.has(batch)) return this.block(event);
    const keys = keysOf(event);
    if (keys.some((key) => this.#blocked.collides(key))) return this.block(event);
    if (event.file_id !== null && this.#busyFiles.has(event.file_id) && !this.#slotByPath.has(event.path ?? '')) {
      return this.block(event);
    }
    if (keys.some((key) => this.#grouped.collides(key))) {
      if (!this.#fold(event)) this.block(event);
      return;
    }
    if (this.#slots.length >= this.#limit || !this.#spellsAlike(event)) return this.block(event);
    this.#take(event, keys);
  }

  result(): Selection {
    return { group: this.#slots, commit: this.#commit, nextRunAt: this.#nextRunAt };
  }

  #isDue({ run_at }: FileEvent): boolean {
    if (run_at <= this.#now) return true;
    this.#nextRunAt = Math.min(run_at, this.#nextRunAt ?? run_at);
    return false;
  }

  block(event: FileEvent): void {
    this.#unfinished += 1;
    for (const key of keysOf(event)) this.#blocked.add(key);
    if (event.file_id !== null) this.#busyFiles.add(event.file_id);
    this.#openBatch(event);
    // A later event on this path must not be folded into an event before this one.
    if (event.path !== null) this.#slotByPath.delete(event.path);
  }

  #openBatch(event: FileEvent): void {
    const batch = batchOf(event);
    if (batch !== null) this.#openBatches.add(batch);
  }

  #take(event: FileEvent, keys: readonly string[]): void {
    const slot: Slot = { event, operation: operationOf(event), content: event.content, absorbed: [] };
    this.#slots.push(slot);
    for (const key of keys) this.#grouped.add(key);
    if (event.file_id !== null) this.#busyFiles.add(event.file_id);
    this.#openBatch(event);
    if (event.path !== null) this.#slotByPath.set(event.path, slot);
  }

  /** Folds only single operations by one author: a batch keeps its steps, and each author's change stays separate. */
  #fold(event: FileEvent): boolean {
    const slot = this.#slotByPath.get(event.path ?? '');
    if (slot === undefined || slot.operation === null) return false;
    const { event: earlier } = slot;
    if (earlier.correlation_id !== null || event.correlation_id !== null) return false;
    if (earlier.author !== event.author || earlier.retry_count > 0 || event.retry_count > 0) return false;
    const later = operationOf(event);
    const folded = later === null ? undefined : fold(slot.operation, later);
    if (folded === undefined) return false;
    if (event.content_hash !== null) slot.content = event.content;
    slot.absorbed = [...slot.absorbed, earlier.id];
    slot.event = event;
    slot.operation = folded;
    return true;
  }

  /** Returns false if two events of the group would spell the same folder differently, such as `a` and `A`. */
  #spellsAlike(event: FileEvent): boolean {
    const folders = [event.path, event.dest_path]
      .filter((path) => path !== null)
      .flatMap((path) => ancestorsOf(path as NotebookPath));
    if (folders.some((folder) => (this.#spellings.get(pathKey(folder)) ?? folder) !== folder)) return false;
    for (const folder of folders) this.#spellings.set(pathKey(folder), folder);
    return true;
  }
}

function keysOf({ path_key, dest_key }: FileEvent): string[] {
  return [path_key, dest_key].filter((key) => key !== null);
}

/**
 * Paths in use. Two paths conflict if they are equal or one is below the other: a file in a folder that is being moved
 * waits for the move, but its siblings do not wait for each other.
 */
export class BusyPaths {
  readonly #taken = new Set<string>();
  readonly #above = new Set<string>();

  add(key: string): void {
    this.#taken.add(key);
    for (const folder of ancestorsOf(key)) this.#above.add(folder);
  }

  collides(key: string): boolean {
    return this.#taken.has(key) || this.#above.has(key) || ancestorsOf(key).some((folder) => this.#taken.has(folder));
  }
}

/**
 * Combines two operations on a file into one with the same result; undefined if both must run. The result keeps the
 * last content and the preconditions of the first operation. If a precondition fails, the operations run one by one. A
 * second operation with a base version is combined only if the first operation writes exactly that version. A delete is
 * never combined, because the trash must hold the last version.
 */
export function fold(first: Operation, second: Operation): CreateOperation | UpdateOperation | undefined {
  // The new content of a note with rewritten links is known only when the operation runs.
  if ('relink' in first || 'relink' in second || second.type !== 'update') return undefined;
  if (first.type === 'update') return foldUpdates(first, second);
  return first.type === 'create' ? foldIntoCreate(first, second) : undefined;
}

function foldUpdates(first: UpdateOperation, second: UpdateOperation): UpdateOperation | undefined {
  if (isEdit(first)) return undefined;
  if (first.path !== second.path || first.file_id !== second.file_id || !suits(second.base_hash, first))
    return undefined;
  const staged = second.staged ?? first.staged;
  return {
    type: 'update',
    path: second.path,
    file_id: second.file_id,
    base_hash: first.base_hash,
    staged,
    metadata: second.metadata,
  };
}

function foldIntoCreate(first: CreateOperation, second: UpdateOperation): CreateOperation | undefined {
  if (first.kind !== 'file' || first.undo_of !== undefined || first.path !== second.path) return undefined;
  if (first.file_id !== second.file_id || !suits(second.base_hash, first) || isEdit(first)) return undefined;
  const staged = second.staged ?? first.staged;
  return { ...first, staged, metadata: second.metadata };
}

/** Returns whether the operation also writes metadata into the file; the content then differs from `staged`. */
function isEdit({ metadata }: CreateOperation | UpdateOperation): boolean {
  return metadata !== undefined;
}

/** Returns whether the first operation writes the base version of the second. */
function suits(base: string | undefined, first: CreateOperation | UpdateOperation): boolean {
  return base === undefined || base === first.staged?.hash;
}
