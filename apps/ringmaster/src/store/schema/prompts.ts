/** What went into each prompt, and what did not. */
export const prompts = `
CREATE TABLE prompt_assemblies (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id TEXT NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
    purpose TEXT NOT NULL CHECK(purpose IN ('run', 'shown')),
    created_at DATETIME NOT NULL,
    duration_ms REAL NOT NULL,
    budget_tokens INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,      -- of exactly the prompt
    considered TEXT NOT NULL   -- JSON array: every candidate with its score, tokens, verdict, reason and hash
);
CREATE INDEX idx_prompt_assemblies_task ON prompt_assemblies(task_id, id);
`;
