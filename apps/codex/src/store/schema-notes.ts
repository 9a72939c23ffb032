/**
 * The search index of notes. It is derived from the files and can be rebuilt at any time, so the journal does not
 * record it. The upper half of a row number is the notebook and the lower half a number within it, so a notebook is one
 * range of rows and a move changes none of them.
 */
export const notes = `
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
