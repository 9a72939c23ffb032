/** What the server gives of audiobooks. Times are UTC text, durations and positions whole milliseconds. */

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

export interface BookProgress {
  readonly position_ms: number;
  readonly percent: number;
  readonly finished: boolean;
  readonly updated_at: string;
}

export interface BookRow {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly authors: readonly { readonly id: string; readonly name: string }[];
  readonly narrators: readonly string[];
  readonly series: readonly { readonly id: string; readonly name: string; readonly sequence: string | null }[];
  readonly year: number | null;
  readonly language: string | null;
  readonly duration_ms: number;
  readonly library_id: string | null;
  /** An address; `&size=256` chooses how large. */
  readonly cover: string | null;
  readonly added_at: string;
  readonly missing: boolean;
  readonly work_id: string | null;
  readonly revision: number;
  readonly generation: number;
  /** Of whoever asks. */
  readonly progress: BookProgress | null;
}

export interface Chapter {
  readonly index: number;
  readonly title: string;
  readonly start_ms: number;
  readonly end_ms: number;
}

export interface BookFile {
  readonly id: string;
  readonly index: number;
  readonly start_ms: number;
  readonly duration_ms: number;
  readonly size_bytes: number;
  readonly format: string;
  readonly content_type: string;
  readonly url: string;
}

export interface Book extends BookRow {
  readonly description: string | null;
  readonly publisher: string | null;
  readonly isbn10: string | null;
  readonly isbn13: string | null;
  readonly asin: string | null;
  readonly genres: readonly string[];
  readonly tags: readonly string[];
  readonly edition: string | null;
  readonly deleted_at: string | null;
  readonly locks: readonly string[];
  readonly provenance: Readonly<Record<string, string>>;
  readonly folder: string | null;
  readonly size_bytes: number;
  readonly chapters: readonly Chapter[];
  readonly segments: readonly BookFile[];
  readonly editions: readonly BookRow[];
}

export interface BookPage extends Page<BookRow> {
  /** None where nobody has counted. */
  readonly total: number | null;
}

export interface Rights {
  readonly can: {
    readonly listen: boolean;
    readonly edit: boolean;
    readonly manage: boolean;
    readonly download: boolean;
  };
  readonly libraries: readonly string[];
}

export interface Library {
  readonly id: string;
  readonly name: string;
  /** For those who manage. */
  readonly root?: string;
  readonly books: number;
  readonly scanned_at: string | null;
}

export interface Shelves {
  readonly continue: readonly BookRow[];
  readonly next_in_series: readonly BookRow[];
  readonly recently_added: readonly BookRow[];
  readonly finished: readonly BookRow[];
}

export interface Group {
  readonly id: string;
  readonly name: string;
  readonly books: number;
}

export type OperationType = 'scan' | 'organize' | 'transcode' | 'merge' | 'tag' | 'import' | 'edit' | 'undo';

export interface Operation {
  readonly id: string;
  readonly type: OperationType;
  readonly status: string;
  readonly progress: { readonly current: number; readonly total: number; readonly phase: string };
  readonly created_by: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly error: string | null;
  readonly target: string;
  readonly summary: string | null;
  readonly can_undo: boolean;
  readonly cancelling: boolean;
  readonly undone_by: string | null;
}

export interface Change {
  readonly id: string;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly source: string;
  readonly at: string;
  readonly by: string;
}

export interface Bookmark {
  readonly id: string;
  readonly position_ms: number;
  readonly note: string;
  readonly created_at: string;
}

export interface Jump {
  readonly position_ms: number;
  readonly at: string;
  readonly device_id: string | null;
  readonly reason: string;
}

export interface Author {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly total: number | null;
}

export interface Series {
  readonly id: string;
  readonly name: string;
  readonly books: readonly (BookRow & { readonly sequence: string | null })[];
  readonly gaps: readonly string[];
}

export interface Feed {
  readonly id: string;
  readonly kind: 'book' | 'opds';
  readonly book_id: string | null;
  readonly created_at: string;
}

export interface MadeFeed {
  readonly id: string;
  readonly url: string;
}

export interface LogLine {
  readonly seq: number;
  readonly timestamp: string;
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
}

export interface Move {
  readonly book_id: string;
  readonly from: string;
  readonly to: string;
}

export interface Refusal {
  readonly book_id: string;
  readonly path: string;
  readonly reason: string;
}

export interface OrganisePlan {
  readonly template: string;
  readonly moves: readonly Move[];
  readonly refusals: readonly Refusal[];
  readonly total_moves: number;
  readonly total_refusals: number;
}

export interface MergePlan {
  readonly book: BookRow;
  readonly files: number;
  readonly format: string;
  readonly way: string;
  readonly chapters: readonly Chapter[];
  readonly duration_ms: number;
  readonly size_bytes: number;
}

export interface Duplicates {
  readonly reason: string;
  readonly books: readonly BookRow[];
}

export interface UserRights {
  readonly user_id: string;
  readonly libraries: readonly string[] | 'all';
  readonly edit: boolean;
  readonly download: boolean;
}
