-- The tables of ringmaster's design document, word for word.

CREATE TABLE projects (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT,
    tech_stack TEXT,           -- JSON array
    created_at DATETIME DEFAULT CURRENT_TIMESTAMP,
    updated_at DATETIME DEFAULT CURRENT_TIMESTAMP,
    settings TEXT              -- JSON config overrides
);

CREATE INDEX idx_projects_updated ON projects(updated_at);

CREATE TABLE tasks (
    id TEXT PRIMARY KEY,                    -- bd-xxxx or bd-xxxx.n
    project_id TEXT NOT NULL REFERENCES projects(id),
    parent_id TEXT REFERENCES tasks(id),    -- NULL for epics
    type TEXT NOT NULL CHECK(type IN ('epic', 'task', 'subtask', 'decision', 'question')),

    title TEXT NOT NULL,
    description TEXT,
    priority TEXT DEFAULT 'P2' CHECK(priority IN ('P0', 'P1', 'P2', 'P3', 'P4')),
    status TEXT DEFAULT 'draft' CHECK(status IN (
        'draft', 'ready', 'assigned', 'in_progress',
        'blocked', 'review', 'done', 'failed'
    )),

    -- Execution tracking
    worker_id TEXT REFERENCES workers(id),
    attempts INTEGER DEFAULT 0,
    max_attempts INTEGER DEFAULT 5,

    -- Graph metrics (cached)
    pagerank_score REAL DEFAULT 0,
    betweenness_score REAL DEFAULT 0,
    on_critical_path BOOLEAN DEFAULT FALSE,
    combined_priority REAL DEFAULT 0,

    -- Timestamps
    created_at DATETIME DEFAULT CURRENT_TIMESTAMP,
    updated_at DATETIME DEFAULT CURRENT_TIMESTAMP,
    started_at DATETIME,
    completed_at DATETIME,

    -- File references
    prompt_path TEXT,          -- Path to enriched prompt
    output_path TEXT,          -- Path to worker output
    context_hash TEXT          -- SHA256 of context used
);

CREATE INDEX idx_tasks_project ON tasks(project_id);
CREATE INDEX idx_tasks_status ON tasks(status);
CREATE INDEX idx_tasks_priority ON tasks(combined_priority DESC);
CREATE INDEX idx_tasks_parent ON tasks(parent_id);
CREATE INDEX idx_tasks_worker ON tasks(worker_id);

CREATE TABLE dependencies (
    child_id TEXT NOT NULL REFERENCES tasks(id),
    parent_id TEXT NOT NULL REFERENCES tasks(id),
    created_at DATETIME DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (child_id, parent_id)
);

-- Prevent self-dependencies
CREATE TRIGGER prevent_self_dependency
BEFORE INSERT ON dependencies
BEGIN
    SELECT RAISE(ABORT, 'Task cannot depend on itself')
    WHERE NEW.child_id = NEW.parent_id;
END;

CREATE INDEX idx_deps_parent ON dependencies(parent_id);
CREATE INDEX idx_deps_child ON dependencies(child_id);

CREATE TABLE workers (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    type TEXT NOT NULL,        -- claude-code, codex, aider, etc.
    status TEXT DEFAULT 'idle' CHECK(status IN ('idle', 'busy', 'offline')),
    current_task_id TEXT REFERENCES tasks(id),

    -- Configuration (from ringmaster.toml, cached here)
    command TEXT NOT NULL,
    args TEXT,                 -- JSON array
    prompt_flag TEXT,
    working_dir TEXT,
    timeout_seconds INTEGER DEFAULT 1800,

    -- Stats
    tasks_completed INTEGER DEFAULT 0,
    tasks_failed INTEGER DEFAULT 0,
    avg_completion_seconds REAL,

    -- Timestamps
    created_at DATETIME DEFAULT CURRENT_TIMESTAMP,
    last_active_at DATETIME
);

CREATE INDEX idx_workers_status ON workers(status);
CREATE INDEX idx_workers_type ON workers(type);

CREATE TABLE chat_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project_id TEXT NOT NULL REFERENCES projects(id),
    task_id TEXT REFERENCES tasks(id),     -- NULL for project-level chat
    role TEXT NOT NULL CHECK(role IN ('user', 'assistant', 'system')),
    content TEXT NOT NULL,
    media_type TEXT,           -- text, audio, image
    media_path TEXT,           -- Path to original media file
    created_at DATETIME DEFAULT CURRENT_TIMESTAMP
);

CREATE INDEX idx_chat_project ON chat_messages(project_id, created_at);
CREATE INDEX idx_chat_task ON chat_messages(task_id, created_at);

CREATE TABLE summaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project_id TEXT NOT NULL REFERENCES projects(id),
    task_id TEXT REFERENCES tasks(id),
    message_range_start INTEGER NOT NULL,  -- First message ID included
    message_range_end INTEGER NOT NULL,    -- Last message ID included
    summary TEXT NOT NULL,
    key_decisions TEXT,        -- JSON array of decisions
    token_count INTEGER,
    created_at DATETIME DEFAULT CURRENT_TIMESTAMP
);

CREATE INDEX idx_summaries_project ON summaries(project_id);
CREATE INDEX idx_summaries_range ON summaries(message_range_start, message_range_end);

CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_type TEXT NOT NULL,  -- task_created, task_assigned, task_completed, etc.
    entity_type TEXT NOT NULL, -- project, task, worker, etc.
    entity_id TEXT NOT NULL,
    data TEXT,                 -- JSON payload
    created_at DATETIME DEFAULT CURRENT_TIMESTAMP
);

CREATE INDEX idx_events_entity ON events(entity_type, entity_id);
CREATE INDEX idx_events_type ON events(event_type, created_at);
