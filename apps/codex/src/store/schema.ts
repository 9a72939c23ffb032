import type { Connection, MigrationPlan } from '@holdfast/sqlite';

import { linkKey } from '../model/note/facts.ts';

/**
 * The search index of notes. It is derived from the files and can be rebuilt at any time, so the journal does not
 * record it. The upper half of a row number is the notebook, and the lower half a number within it. So a notebook is
 * one range of rows, and moving a file changes no row number.
 */
const notes = `
CREATE TABLE note_index (
    row INTEGER PRIMARY KEY,
    file_id TEXT NOT NULL UNIQUE,
    notebook_id INTEGER NOT NULL,
    -- What it was made from: when the file has another hash or a later event by now, it has to be made again.
    hash TEXT NOT NULL,
    event_id INTEGER,
    tags TEXT NOT NULL,
    links_out INTEGER NOT NULL,
    properties_error TEXT
) STRICT;

CREATE VIRTUAL TABLE note_text USING fts5 (
    title, name, tags, properties, body,
    tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
-- Rows of note_text that belong to no file any more; they are taken out a few at a time.
CREATE TABLE note_orphans (row INTEGER PRIMARY KEY) STRICT;

CREATE TABLE note_tags (
    notebook_id INTEGER NOT NULL,
    tag_key TEXT NOT NULL,
    row INTEGER NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (notebook_id, tag_key, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX ix_note_tags_row ON note_tags (row);

CREATE TABLE note_properties (
    notebook_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    row INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (notebook_id, key, value, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX ix_note_properties_row ON note_properties (row);

-- target is as it is written in the note; target_key its last name without '.md', for all spellings alike.
CREATE TABLE note_links (
    id INTEGER PRIMARY KEY,
    notebook_id INTEGER NOT NULL,
    file_id TEXT NOT NULL,
    line INTEGER NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    target_key TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX ix_note_links_file ON note_links (file_id);
CREATE INDEX ix_note_links_target ON note_links (notebook_id, target_key);
`;

/**
 * Links are resolved from file names when they are read, so creating, moving and deleting files requires no update.
 * `link_key` is the key that a file shares with the links to it.
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

function addLinks(connection: Connection): void {
  connection.exec(columns);
  const names = connection.all<{ id: string; path: string }>('SELECT id, path FROM files');
  for (const { id, path } of names) connection.run('UPDATE files SET link_key = ? WHERE id = ?', linkKey(path), id);
}

/**
 * Events, files and pending git changes share one database, so that one commit can change all three. Times in columns
 * of codex's design document are UTC text; `run_at` and `lease_until` are milliseconds, to be compared with the clock.
 */
const notebooks = `
CREATE TABLE notebooks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    path TEXT NOT NULL,
    -- 'active', or 'closing' while its lane ends; a removed one has no row.
    state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'closing')),
    created_at TEXT NOT NULL,
    reconciled_at TEXT
) STRICT;
CREATE UNIQUE INDEX ix_notebooks_name ON notebooks (name);
CREATE UNIQUE INDEX ix_notebooks_path ON notebooks (path);

-- Who works through the queue of a notebook. The fence rises with every new owner and is checked by every write.
CREATE TABLE lanes (
    notebook_id INTEGER PRIMARY KEY REFERENCES notebooks (id) ON DELETE CASCADE,
    owner TEXT,
    pid INTEGER,
    pid_start TEXT,
    boot_id TEXT,
    fence INTEGER NOT NULL DEFAULT 0,
    lease_until INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE codex_meta (key TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO codex_meta (key, value) VALUES ('change_seq', 0);
`;

const fileEvents = `
CREATE TABLE file_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    notebook_id INTEGER NOT NULL REFERENCES notebooks (id) ON DELETE CASCADE,
    event_type TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending',
    operation TEXT NOT NULL,
    correlation_id TEXT,
    sequence INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    processed_at TEXT,
    error_message TEXT,
    retry_count INTEGER NOT NULL DEFAULT 0,
    path TEXT,
    path_key TEXT,
    dest_path TEXT,
    dest_key TEXT,
    file_id TEXT,
    author TEXT NOT NULL,
    content_hash TEXT,
    content_size INTEGER,
    content BLOB,
    effective TEXT,
    superseded_by INTEGER,
    error_code TEXT,
    run_at INTEGER NOT NULL DEFAULT 0,
    started_at TEXT,
    fence INTEGER,
    idempotency_key TEXT,
    request_hash TEXT,
    result TEXT,
    commit_sha TEXT,
    change_seq INTEGER NOT NULL
) STRICT;
CREATE INDEX ix_file_events_notebook_status ON file_events (notebook_id, status, id);
CREATE INDEX ix_file_events_correlation ON file_events (correlation_id, sequence) WHERE correlation_id IS NOT NULL;
CREATE INDEX ix_file_events_path ON file_events (notebook_id, path_key) WHERE status IN ('pending', 'processing');
CREATE UNIQUE INDEX ix_file_events_idempotency ON file_events (notebook_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
CREATE INDEX ix_file_events_change ON file_events (change_seq);
CREATE INDEX ix_file_events_processed ON file_events (processed_at) WHERE processed_at IS NOT NULL;
CREATE INDEX ix_file_events_content ON file_events (notebook_id, content_hash) WHERE content_hash IS NOT NULL;

-- What an event that is 'processing' is about to do, written before the first step: JSON of an Intent.
CREATE TABLE intents (
    event_id INTEGER PRIMARY KEY REFERENCES file_events (id) ON DELETE CASCADE,
    notebook_id INTEGER NOT NULL,
    intent TEXT NOT NULL
) STRICT;
`;

const files = `
CREATE TABLE files (
    id TEXT PRIMARY KEY NOT NULL,
    notebook_id INTEGER NOT NULL REFERENCES notebooks (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    path_key TEXT NOT NULL,
    size INTEGER NOT NULL,
    hash TEXT NOT NULL,
    content_type TEXT NOT NULL,
    mode INTEGER NOT NULL DEFAULT 420,
    title TEXT,
    description TEXT,
    properties TEXT NOT NULL DEFAULT '{}',
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    -- The state of the file on disk when it was last looked at; nanoseconds as text, they do not fit a number.
    mtime_ns TEXT NOT NULL DEFAULT '0',
    ctime_ns TEXT NOT NULL DEFAULT '0',
    inode TEXT NOT NULL DEFAULT '0',
    last_event_id INTEGER,
    git_tracked INTEGER NOT NULL DEFAULT 1,
    git_reason TEXT,
    last_commit_hash TEXT,
    -- The delete event whose trash holds it.
    deleted_by INTEGER
) STRICT;
CREATE UNIQUE INDEX ix_files_path ON files (notebook_id, path) WHERE deleted_by IS NULL;
CREATE INDEX ix_files_key ON files (notebook_id, path_key) WHERE deleted_by IS NULL;
CREATE INDEX ix_files_deleted ON files (deleted_by) WHERE deleted_by IS NOT NULL;
CREATE INDEX ix_files_inode ON files (notebook_id, inode) WHERE deleted_by IS NULL;
CREATE INDEX ix_files_hash ON files (notebook_id, hash) WHERE deleted_by IS NULL;

-- Every folder of the notebook, so that empty ones are remembered and twins of a name are found on every level.
CREATE TABLE folders (
    id TEXT PRIMARY KEY NOT NULL,
    notebook_id INTEGER NOT NULL REFERENCES notebooks (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    path_key TEXT NOT NULL,
    created_at TEXT NOT NULL,
    deleted_by INTEGER
) STRICT;
CREATE UNIQUE INDEX ix_folders_path ON folders (notebook_id, path) WHERE deleted_by IS NULL;
CREATE INDEX ix_folders_key ON folders (notebook_id, path_key) WHERE deleted_by IS NULL;
CREATE INDEX ix_folders_deleted ON folders (deleted_by) WHERE deleted_by IS NOT NULL;

CREATE TABLE trash (
    event_id INTEGER PRIMARY KEY,
    notebook_id INTEGER NOT NULL REFERENCES notebooks (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('file', 'folder')),
    file_count INTEGER NOT NULL,
    deleted_at TEXT NOT NULL
) STRICT;
CREATE INDEX ix_trash_deleted ON trash (notebook_id, deleted_at);
`;

const git = `
-- What git has still to commit, in the order in which it was done. Rows go away in the commit that records the sha.
CREATE TABLE git_pending (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    notebook_id INTEGER NOT NULL REFERENCES notebooks (id) ON DELETE CASCADE,
    -- 'write' a file; 'delete' a file or everything below a folder; 'rename' a file or folder from from_path to path.
    kind TEXT NOT NULL CHECK (kind IN ('write', 'delete', 'rename')),
    path TEXT NOT NULL,
    from_path TEXT,
    -- SHA-256 of what was written. The bytes are in content (up to 4 KiB) or in .codex/blobs/ of the notebook.
    blob_hash TEXT,
    size INTEGER,
    content BLOB,
    mode INTEGER,
    event_id INTEGER NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX ix_git_pending_notebook ON git_pending (notebook_id, id);
CREATE INDEX ix_git_pending_blob ON git_pending (notebook_id, blob_hash) WHERE blob_hash IS NOT NULL;

CREATE TABLE git_commits (
    notebook_id INTEGER NOT NULL REFERENCES notebooks (id) ON DELETE CASCADE,
    sha TEXT NOT NULL,
    parent_sha TEXT,
    branch TEXT NOT NULL,
    author TEXT NOT NULL,
    path_count INTEGER NOT NULL,
    -- The git_pending rows it holds: everything up to this id, of this author.
    last_pending_id INTEGER NOT NULL,
    last_event_id INTEGER NOT NULL,
    committed_at TEXT NOT NULL,
    PRIMARY KEY (notebook_id, sha)
) STRICT, WITHOUT ROWID;
CREATE INDEX ix_git_commits_last ON git_commits (notebook_id, last_pending_id);

-- The user's index could not be locked when a commit was made: it still corresponds to this commit.
CREATE TABLE git_index_owed (
    notebook_id INTEGER PRIMARY KEY REFERENCES notebooks (id) ON DELETE CASCADE,
    from_sha TEXT NOT NULL
) STRICT;
`;

const gitRecorded = `
-- Rows of git_pending that a recorded commit holds; no longer there when all of them are gone.
CREATE TABLE git_recorded (
    id INTEGER PRIMARY KEY,
    notebook_id INTEGER NOT NULL REFERENCES notebooks (id) ON DELETE CASCADE,
    -- Their ids, as JSON.
    pending_ids TEXT NOT NULL
) STRICT;
`;

/** Mount points inside notebooks: files on an unmounted disk do not count as deleted. */
const disks = `
CREATE TABLE disks (
    notebook_id INTEGER NOT NULL REFERENCES notebooks (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    PRIMARY KEY (notebook_id, path)
) STRICT, WITHOUT ROWID;
`;

/** Current problems of notebooks. Rows of dead processes are ignored. */
const problems = `
CREATE TABLE problems (
    notebook_id INTEGER NOT NULL REFERENCES notebooks (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    owner TEXT NOT NULL,
    pid INTEGER NOT NULL,
    pid_start TEXT,
    boot_id TEXT,
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    since TEXT NOT NULL,
    PRIMARY KEY (notebook_id, source, owner)
) STRICT, WITHOUT ROWID;
`;

/**
 * Remote repositories that notebooks are synced with. While a merge is in progress, `remote_merges` names its commit and
 * `remote_changes` the files that the folder still lacks.
 */
const remotes = `
CREATE TABLE remotes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    notebook_id INTEGER NOT NULL REFERENCES notebooks (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    branch TEXT NOT NULL,
    allows_path INTEGER NOT NULL,
    key_file TEXT,
    -- Encrypted; see adapters/sealed-token.ts.
    token TEXT,
    created_at TEXT NOT NULL,
    -- Tip of the remote branch when it was last fetched or pushed.
    tip TEXT,
    tried_at TEXT,
    synced_at TEXT,
    failures INTEGER NOT NULL DEFAULT 0,
    error_code TEXT,
    error_message TEXT,
    -- JSON: files of the remote that this notebook cannot hold.
    skipped TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE UNIQUE INDEX ix_remotes_name ON remotes (notebook_id, name);

CREATE TABLE remote_merges (
    notebook_id INTEGER PRIMARY KEY REFERENCES notebooks (id) ON DELETE CASCADE,
    remote TEXT NOT NULL,
    branch TEXT NOT NULL,
    -- The branch moves from this commit, or from none, to the merged one.
    ours TEXT,
    merged TEXT NOT NULL,
    -- 1 once the branch has moved and git_commits contains the merged commit.
    is_recorded INTEGER NOT NULL
) STRICT;

CREATE TABLE remote_changes (
    notebook_id INTEGER NOT NULL REFERENCES notebooks (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    -- Blob ids before and after the merge; null where there is no file.
    before TEXT,
    after TEXT,
    mode TEXT NOT NULL,
    PRIMARY KEY (notebook_id, path)
) STRICT, WITHOUT ROWID;
`;

function step(version: number, description: string, ...texts: readonly string[]): MigrationPlan['steps'][number] {
  const up = (connection: Connection): void => texts.forEach((text) => connection.exec(text));
  return { version, description, up };
}

export const migrations: MigrationPlan = {
  scope: 'codex',
  steps: [
    step(1, 'notebooks, file events, files and changes that git has not committed', notebooks, fileEvents, files, git),
    step(2, 'text, tags, properties and links of notes', notes),
    { version: 3, description: 'names that links end with, and links that follow a move', up: addLinks },
    step(4, 'problems of processes that work on a notebook', problems),
    step(5, 'folders that are separate disks', disks),
    step(6, 'pending changes whose commit is recorded, removed a few at a time', gitRecorded),
    step(
      7,
      'more kinds of links, and words of Chinese, Japanese and Korean: notes are indexed again',
      "UPDATE note_index SET hash = ''",
    ),
    step(
      8,
      'notebooks that a user has paused',
      'ALTER TABLE notebooks ADD COLUMN paused_at TEXT; ALTER TABLE notebooks ADD COLUMN paused_by TEXT',
    ),
    step(
      9,
      'headings and blocks that links name',
      "ALTER TABLE note_index ADD COLUMN anchors TEXT NOT NULL DEFAULT '[]'",
      'ALTER TABLE note_links ADD COLUMN part TEXT',
      "UPDATE note_index SET hash = ''",
    ),
    step(10, 'remote repositories that notebooks are synced with', remotes),
    // FTS5 merges its parts in the commits of notes. With 4, the default, merging took a fifth of the indexing time.
    step(11, 'text index that merges less often', "INSERT INTO note_text (note_text, rank) VALUES ('automerge', 8)"),
  ],
};
