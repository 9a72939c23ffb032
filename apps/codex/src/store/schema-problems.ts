/** What keeps those who work on a notebook from it, until it is over. Rows of a process that has died say nothing. */
export const problems = `
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
