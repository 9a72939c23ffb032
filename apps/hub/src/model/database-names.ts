/** Databases with a name. Commands take any other database by its path. */
export const databaseNames = ['np', 'utask', 'codex', 'audiobooks', 'accounts'] as const;
export type DatabaseName = (typeof databaseNames)[number];
