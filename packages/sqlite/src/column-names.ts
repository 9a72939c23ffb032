import type { Database } from './database.ts';

/** The columns of a table as it is now, in the order in which the journal has their values; none when it is gone. */
export function columnNames(database: Database, table: string): readonly string[] {
  return database.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => name);
}
