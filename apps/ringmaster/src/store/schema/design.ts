/**
 * The tables of the ringmaster design document, with the same names, columns and order. Each difference fixes a flaw in
 * docs/fidelity/ringmaster.md: NOT NULL where the design document only checks a list of values (flaw 12), one time
 * format with milliseconds and zone (flaw 23), and typed dependencies (flaw 9). Columns that this implementation adds
 * come last.
 */

const NOW = `(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`;

export const projects = `
CREATE TABLE projects (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    tech_stack TEXT,           -- JSON array
    created_at DATETIME NOT NULL DEFAULT ${NOW},
    updated_at DATETIME NOT NULL DEFAULT ${NOW},
    settings TEXT              -- JSON config overrides
);
CREATE INDEX idx_projects_updated ON projects(updated_at);
`;

export const tasks = `
CREATE TABLE tasks (
    id TEXT PRIMARY KEY NOT NULL,           -- bd-xxxx or bd-xxxx.n
    project_id TEXT NOT NULL REFERENCES projects(id),
    parent_id TEXT REFERENCES tasks(id),    -- NULL for epics
    type TEXT NOT NULL CHECK(type IN ('epic', 'task', 'subtask', 'decision', 'question')),

    title TEXT NOT NULL,
    description TEXT,
    priority TEXT NOT NULL DEFAULT 'P2' CHECK(priority IN ('P0', 'P1', 'P2', 'P3', 'P4')),
    status TEXT NOT NULL DEFAULT 'draft' CHECK(status IN (
        'draft', 'ready', 'assigned', 'in_progress',
        'blocked', 'review', 'done', 'failed'
    )),

    -- Execution tracking
    worker_id TEXT REFERENCES workers(id),
    attempts INTEGER NOT NULL DEFAULT 0,
    max_attempts INTEGER NOT NULL DEFAULT 5,

    -- Graph metrics (cached)
    pagerank_score REAL NOT NULL DEFAULT 0,
    betweenness_score REAL NOT NULL DEFAULT 0,
    on_critical_path BOOLEAN NOT NULL DEFAULT FALSE,
    combined_priority REAL NOT NULL DEFAULT 0,

    -- Timestamps
    created_at DATETIME NOT NULL DEFAULT ${NOW},
    updated_at DATETIME NOT NULL DEFAULT ${NOW},
    started_at DATETIME,
    completed_at DATETIME,

    -- File references
    prompt_path TEXT,          -- Path to enriched prompt
    output_path TEXT,          -- Path to worker output
    context_hash TEXT,         -- SHA256 of context used

    -- Not in the design document
    failures INTEGER NOT NULL DEFAULT 0,    -- attempts that failed because of the task (34)
    version INTEGER NOT NULL DEFAULT 1,     -- counts edits (22)
    ready_at DATETIME,
    next_eligible_at DATETIME,              -- not before this, after a failure (35)
    defer_until DATETIME,
    blocked_reason TEXT,
    last_failure TEXT,
    external_owner TEXT,                    -- works on it outside ringmaster, so no worker here may (15)
    required_capabilities TEXT,             -- JSON array
    required_worker TEXT,                   -- id or type of the worker that must do it
    model TEXT,
    worker_args TEXT,                       -- JSON array: additional arguments of its worker
    estimated_minutes REAL,
    labels TEXT,                            -- JSON array
    external_ref TEXT,                      -- where the task comes from, such as an entry of a plan
    is_work BOOLEAN NOT NULL DEFAULT TRUE,  -- FALSE: for example a message, not a task
    is_pinned BOOLEAN NOT NULL DEFAULT FALSE, -- a note that is never finished and blocks nothing
    own_priority REAL NOT NULL DEFAULT 0,   -- combined_priority before inheritance
    inherited_from TEXT,
    metrics_version INTEGER NOT NULL DEFAULT 0,
    archived_at DATETIME,
    deleted_at DATETIME                     -- hidden like an archived task; can be restored
);
CREATE INDEX idx_tasks_project ON tasks(project_id);
CREATE INDEX idx_tasks_status ON tasks(status);
CREATE INDEX idx_tasks_priority ON tasks(combined_priority DESC);
CREATE INDEX idx_tasks_parent ON tasks(parent_id);
CREATE INDEX idx_tasks_worker ON tasks(worker_id) WHERE worker_id IS NOT NULL;
CREATE INDEX idx_tasks_external_ref ON tasks(external_ref) WHERE external_ref IS NOT NULL;
-- In the order of claims (46)
CREATE INDEX idx_tasks_claim ON tasks(combined_priority DESC, created_at, id) WHERE status = 'ready';
`;

export const dependencies = `
CREATE TABLE dependencies (
    child_id TEXT NOT NULL REFERENCES tasks(id),
    parent_id TEXT NOT NULL REFERENCES tasks(id),
    created_at DATETIME NOT NULL DEFAULT ${NOW},
    type TEXT NOT NULL DEFAULT 'blocks',
    created_by TEXT,
    metadata TEXT,             -- JSON, as Beads has it
    PRIMARY KEY (child_id, parent_id, type)
);
CREATE INDEX idx_deps_parent ON dependencies(parent_id);
CREATE INDEX idx_deps_child ON dependencies(child_id);
`;

export const workers = `
CREATE TABLE workers (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,        -- claude-code, codex, aider, etc.
    status TEXT NOT NULL DEFAULT 'idle' CHECK(status IN ('idle', 'busy', 'offline')),
    current_task_id TEXT REFERENCES tasks(id) ON DELETE SET NULL,

    -- Configuration (from ringmaster.toml, cached here)
    command TEXT NOT NULL,
    args TEXT,                 -- JSON array
    prompt_flag TEXT,
    working_dir TEXT,
    timeout_seconds INTEGER NOT NULL DEFAULT 1800,

    -- Stats
    tasks_completed INTEGER NOT NULL DEFAULT 0,
    tasks_failed INTEGER NOT NULL DEFAULT 0,
    avg_completion_seconds REAL,

    -- Timestamps
    created_at DATETIME NOT NULL DEFAULT ${NOW},
    last_active_at DATETIME,

    -- Not in the design document
    max_concurrent INTEGER NOT NULL DEFAULT 1,
    capabilities TEXT NOT NULL DEFAULT '[]',
    parked_until DATETIME,                  -- after a problem of its service or program: no tasks before
    parked_kind TEXT CHECK(parked_kind IN ('rate_limited', 'overloaded', 'unreachable', 'logged_out', 'no_credit',
                           'not_started', 'missing')),
    parked_reason TEXT,
    park_count INTEGER NOT NULL DEFAULT 0,  -- in a row, since it last worked
    is_draining BOOLEAN NOT NULL DEFAULT FALSE,
    from_config BOOLEAN NOT NULL DEFAULT FALSE,
    config_version TEXT,
    paused_at DATETIME                      -- by a person: ringmaster.toml does not resume it
);
CREATE INDEX idx_workers_status ON workers(status);
CREATE INDEX idx_workers_type ON workers(type);
`;

export const chat = `
CREATE TABLE chat_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project_id TEXT NOT NULL REFERENCES projects(id),
    task_id TEXT REFERENCES tasks(id) ON DELETE SET NULL,     -- NULL for project-level chat
    role TEXT NOT NULL CHECK(role IN ('user', 'assistant', 'system')),
    content TEXT NOT NULL,
    media_type TEXT,           -- text, audio, image
    media_path TEXT REFERENCES files(path),           -- Path to original media file
    created_at DATETIME NOT NULL DEFAULT ${NOW}
);
CREATE INDEX idx_chat_project ON chat_messages(project_id, created_at);
CREATE INDEX idx_chat_task ON chat_messages(task_id, created_at);

CREATE TABLE summaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project_id TEXT NOT NULL REFERENCES projects(id),
    task_id TEXT REFERENCES tasks(id) ON DELETE SET NULL,
    message_range_start INTEGER NOT NULL REFERENCES chat_messages(id),  -- First message ID included
    message_range_end INTEGER NOT NULL REFERENCES chat_messages(id),    -- Last message ID included
    summary TEXT NOT NULL,
    key_decisions TEXT,        -- JSON array of decisions
    token_count INTEGER,
    created_at DATETIME NOT NULL DEFAULT ${NOW},
    CHECK (message_range_start <= message_range_end)
);
CREATE INDEX idx_summaries_project ON summaries(project_id);
CREATE INDEX idx_summaries_range ON summaries(message_range_start, message_range_end);
`;

export const events = `
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_type TEXT NOT NULL,  -- task_created, task_assigned, task_completed, etc.
    entity_type TEXT NOT NULL, -- project, task, worker, etc.
    entity_id TEXT NOT NULL,
    data TEXT,                 -- JSON payload
    created_at DATETIME NOT NULL DEFAULT ${NOW},
    actor_type TEXT NOT NULL DEFAULT 'unknown',
    actor_id TEXT,
    before TEXT,               -- JSON: changed fields before
    after TEXT,                -- JSON: changed fields after
    correlation_id TEXT
);
CREATE INDEX idx_events_entity ON events(entity_type, entity_id);
CREATE INDEX idx_events_type ON events(event_type, created_at);
`;
