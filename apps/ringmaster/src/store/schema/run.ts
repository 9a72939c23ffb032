/** Tables for running workers: folders of attempts, turns, and paused workers. */
export const run = `
-- Where the supervisor of an attempt works, and who that supervisor is: another may go on when it has died.
CREATE TABLE attempt_runs (
    attempt_id INTEGER PRIMARY KEY NOT NULL REFERENCES attempts(id) ON DELETE CASCADE,
    supervisor_id TEXT NOT NULL,            -- its processes carry this name in their environment
    supervisor_pid INTEGER NOT NULL,
    supervisor_start TEXT,
    supervisor_boot TEXT,
    folder TEXT NOT NULL,                   -- where the worker is started
    repository TEXT,                        -- NULL: a plain folder
    branch TEXT,
    base_commit TEXT,
    head_commit TEXT,                       -- the work, once it is committed
    settled_at DATETIME,                    -- the worktree is gone and the branch is as it stays
    merged_at DATETIME,
    merge_commit TEXT
);
CREATE INDEX idx_attempt_runs_open ON attempt_runs(attempt_id) WHERE settled_at IS NULL;

-- One turn of the loop. The number counts for the task, so that a log is never written twice.
CREATE TABLE iterations (
    task_id TEXT NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    attempt_id INTEGER NOT NULL REFERENCES attempts(id) ON DELETE CASCADE,
    started_at DATETIME NOT NULL,
    ended_at DATETIME,
    result TEXT,                            -- success, tests_failed, timeout, … ; NULL while it goes on
    stage TEXT NOT NULL DEFAULT 'working' CHECK(stage IN ('working', 'worked', 'tested', 'reviewed')),
    exit_code INTEGER,
    signal TEXT,
    failure TEXT,                           -- what the next prompt says about it
    question TEXT,
    prompt_path TEXT REFERENCES files(path),
    context_path TEXT REFERENCES files(path),
    log_path TEXT REFERENCES files(path),
    output_bytes INTEGER NOT NULL DEFAULT 0,
    pid INTEGER,
    pid_start TEXT,
    boot_id TEXT,
    cost_usd REAL,
    input_tokens INTEGER,
    output_tokens INTEGER,
    PRIMARY KEY (task_id, number)
);
CREATE INDEX idx_iterations_attempt ON iterations(attempt_id, number);

-- By a person; ringmaster.toml does not wake such a worker up.
ALTER TABLE workers ADD COLUMN paused_at DATETIME;
`;

/** The candidates for each prompt, and which of them were used. */
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
