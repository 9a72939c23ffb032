/** Databases that have a name. Commands accept the path of any other database. */
export const databaseNames = ['np', 'utask', 'codex', 'audiobooks', 'accounts'] as const;
export type DatabaseName = (typeof databaseNames)[number];
