import type { Connection } from '@holdfast/sqlite';

import { linkKey } from '../model/note/facts.ts';

/**
 * Links are resolved when they are read, from the names of files, so creating, moving and deleting files leaves nothing
 * to update. `link_key` is the key that a file shares with the links to it.
 */
const columns = `
ALTER TABLE files ADD COLUMN link_key TEXT NOT NULL DEFAULT '';
CREATE INDEX ix_files_link ON files (notebook_id, link_key) WHERE deleted_by IS NULL;

-- Moves that are done, after which links have still to be rewritten; written in the commit that records the move.
CREATE TABLE link_rewrites (
    event_id INTEGER PRIMARY KEY,
    notebook_id INTEGER NOT NULL REFERENCES notebooks (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('file', 'folder')),
    source TEXT NOT NULL,
    dest TEXT NOT NULL,
    -- Of the updates that follow.
    correlation_id TEXT NOT NULL,
    author TEXT NOT NULL
) STRICT;
CREATE INDEX ix_link_rewrites_notebook ON link_rewrites (notebook_id, event_id);
`;

export function addLinks(connection: Connection): void {
  connection.exec(columns);
  const names = connection.all<{ id: string; path: string }>('SELECT id, path FROM files');
  for (const { id, path } of names) connection.run('UPDATE files SET link_key = ? WHERE id = ?', linkKey(path), id);
}
