/** A value that SQLite stores: what it returns is one of these too. */
export type SqlValue = null | number | bigint | string | Uint8Array;
export type Row = Readonly<Record<string, SqlValue>>;
