/** Folders that are disks of their own: what lies in one that is not mounted is not deleted. */
export const disks = `
CREATE TABLE disks (
    notebook_id INTEGER NOT NULL REFERENCES notebooks (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    PRIMARY KEY (notebook_id, path)
) STRICT, WITHOUT ROWID;
`;
