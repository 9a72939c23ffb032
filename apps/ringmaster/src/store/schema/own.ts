/** Tables that the ringmaster design document needs but does not define: attempts, files and imported Beads lines. */
export const attempts = `
-- One row for each time that a worker claimed a task. \`id\` is the fencing token; it only increases.
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    task_id TEXT NOT NULL REFERENCES tasks(id),
    worker_id TEXT NOT NULL REFERENCES workers(id),
    number INTEGER NOT NULL,
    slot INTEGER NOT NULL DEFAULT 1,
    started_at DATETIME NOT NULL,
    heartbeat_at DATETIME NOT NULL,
    lease_expires_at DATETIME NOT NULL,
    ended_at DATETIME,
    outcome TEXT CHECK(outcome IN ('succeeded', 'no_change', 'failed', 'review', 'blocked', 'expired', 'released')),
    failure_class TEXT CHECK(failure_class IN ('task', 'infrastructure', 'rate_limit', 'cancelled')),
    reason TEXT,
    pid INTEGER,
    pid_start TEXT,
    boot_id TEXT,
    progress TEXT,
    cancel_requested_at DATETIME,
    config_version TEXT,
    output_path TEXT REFERENCES files(path)
);
CREATE UNIQUE INDEX idx_attempts_live_task ON attempts(task_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX idx_attempts_live_slot ON attempts(worker_id, slot) WHERE ended_at IS NULL;
CREATE INDEX idx_attempts_task ON attempts(task_id, number);
`;

export const others = `
-- The highest number ever given to a child, so that no number is used again after a deletion.
CREATE TABLE child_counters (
    parent_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (parent_id, kind)
) WITHOUT ROWID;

-- Decisions (which block the task they are about) and questions (which do not).
CREATE TABLE inquiries (
    task_id TEXT PRIMARY KEY NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
    about_id TEXT REFERENCES tasks(id),
    context TEXT,
    options TEXT,              -- JSON array
    recommendation TEXT,
    urgency TEXT NOT NULL DEFAULT 'medium' CHECK(urgency IN ('low', 'medium', 'high')),
    default_answer TEXT,
    answer TEXT,
    answered_by TEXT,
    answered_at DATETIME
);

-- Every file that the database refers to. Only project files ever change.
CREATE TABLE files (
    path TEXT PRIMARY KEY NOT NULL,         -- below files_path
    kind TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    created_at DATETIME NOT NULL,
    deleted_at DATETIME
);
CREATE INDEX idx_files_sha ON files(sha256);

-- The Beads line of an imported task, word for word.
CREATE TABLE beads_originals (
    task_id TEXT PRIMARY KEY NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
    line TEXT NOT NULL,
    position INTEGER,                       -- order of lines in the export
    is_failed_close BOOLEAN NOT NULL DEFAULT FALSE  -- closed there for a reason that means failure
);

-- Lines that are not tasks (memories, headers, tombstones) and invalid lines, stored for the export.
CREATE TABLE beads_lines (
    project_id TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    line TEXT NOT NULL,
    position INTEGER,
    PRIMARY KEY (project_id, key)
);

-- Links that cannot be made yet: the other task is missing or external, or the link would close a cycle.
CREATE TABLE unresolved_dependencies (
    child_id TEXT NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
    parent_id TEXT NOT NULL,
    type TEXT NOT NULL,
    reason TEXT NOT NULL CHECK(reason IN ('missing', 'external', 'cycle', 'parent')),
    metadata TEXT,
    PRIMARY KEY (child_id, parent_id, type)
);
CREATE INDEX idx_unresolved_parent ON unresolved_dependencies(parent_id);

CREATE TABLE metrics_runs (
    graph_version INTEGER PRIMARY KEY NOT NULL,
    computed_at DATETIME NOT NULL,
    duration_ms REAL NOT NULL,
    tasks INTEGER NOT NULL,
    links INTEGER NOT NULL,
    is_approximate BOOLEAN NOT NULL,
    sampled_tasks INTEGER NOT NULL,
    pagerank_max REAL NOT NULL,
    betweenness_max REAL NOT NULL,
    weights TEXT NOT NULL
);

-- The pull request of a task on GitHub.
CREATE TABLE pull_requests (
    task_id TEXT PRIMARY KEY NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
    repository TEXT NOT NULL,               -- [HOST/]OWNER/REPO
    branch TEXT NOT NULL,                   -- on the remote
    pushed_commit TEXT NOT NULL,
    number INTEGER,                         -- NULL: pushed, but not opened yet
    url TEXT,
    state TEXT NOT NULL CHECK(state IN ('pushed', 'open', 'closed', 'merged')),
    merge_commit TEXT,
    feedback TEXT NOT NULL DEFAULT '[]'     -- JSON array: ids of the comments that prompts include
);

-- The outbox: notifications that still have to be sent, written in the same commit as their event.
CREATE TABLE notifications (
    event_id INTEGER NOT NULL,
    destination TEXT NOT NULL CHECK(destination IN ('command', 'webhook')),
    body TEXT NOT NULL,                     -- JSON
    created_at DATETIME NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at DATETIME NOT NULL,
    last_error TEXT,
    gave_up_at DATETIME,                    -- NULL: it is sent at next_attempt_at
    PRIMARY KEY (event_id, destination)
) WITHOUT ROWID;

CREATE TABLE ringmaster_meta (
    key TEXT PRIMARY KEY NOT NULL,
    value
) WITHOUT ROWID;
INSERT INTO ringmaster_meta (key, value) VALUES ('graph_version', 1), ('cycle_check', 'on'), ('events_kept_from', 0);
`;

/** Tables for running workers: folders of attempts, turns, and paused workers. */
export const run = `
-- Folder and supervisor of an attempt, so that another supervisor can continue after a crash.
CREATE TABLE attempt_runs (
    attempt_id INTEGER PRIMARY KEY NOT NULL REFERENCES attempts(id) ON DELETE CASCADE,
    supervisor_id TEXT NOT NULL,            -- its processes carry this name in their environment
    supervisor_pid INTEGER NOT NULL,
    supervisor_start TEXT,
    supervisor_boot TEXT,
    folder TEXT NOT NULL,                   -- where the worker is started
    repository TEXT,                        -- NULL: a plain folder
    branch TEXT,
    port_start INTEGER,                     -- ports of this worktree alone, until settled_at; NULL: none
    port_end INTEGER,                       -- inclusive
    attached_pid INTEGER,                   -- process of 'ringmaster attach', whose user has the worktree; NULL: none
    attached_start TEXT,
    attached_boot TEXT,
    attached_at DATETIME,                   -- since then, the supervisor leaves the worktree alone
    dependencies TEXT,                      -- JSON array: unmerged work of dependencies that base_commit includes
    base_commit TEXT,
    head_commit TEXT,                       -- the work, once it is committed
    settled_at DATETIME,                    -- the worktree is removed and the branch is final
    merge_requested_at DATETIME,            -- the settings ask for a merge; done when merged_at is set
    merged_at DATETIME,
    merge_commit TEXT
);
CREATE INDEX idx_attempt_runs_open ON attempt_runs(attempt_id) WHERE settled_at IS NULL;
CREATE INDEX idx_attempt_runs_merge ON attempt_runs(attempt_id) WHERE merge_requested_at IS NOT NULL AND merged_at IS NULL;

-- One turn of a worker. Turns are numbered per task, so that no log is overwritten.
CREATE TABLE iterations (
    task_id TEXT NOT NULL REFERENCES tasks(id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    attempt_id INTEGER NOT NULL REFERENCES attempts(id) ON DELETE CASCADE,
    started_at DATETIME NOT NULL,
    ended_at DATETIME,
    result TEXT,                            -- success, tests_failed, timeout, … ; NULL while it runs
    stage TEXT NOT NULL DEFAULT 'working' CHECK(stage IN ('working', 'worked', 'tested', 'reviewed')),
    exit_code INTEGER,
    signal TEXT,
    failure TEXT,                           -- repeated in the next prompt
    question TEXT,
    note TEXT,                              -- why nothing had to change
    session_id TEXT,                        -- the agent's own, to continue its conversation
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
