/**
 * The tables, columns and indexes of the ringmaster design document. A test compares them with the live schema. They
 * are copied here because the design document is not part of the repository.
 */
export interface DesignTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly indexes: readonly string[];
}

export const designTables: readonly DesignTable[] = [
  {
    name: 'projects',
    columns: ['id', 'name', 'description', 'tech_stack', 'created_at', 'updated_at', 'settings'],
    indexes: ['idx_projects_updated'],
  },
  {
    name: 'tasks',
    columns: [
      'id',
      'project_id',
      'parent_id',
      'type',
      'title',
      'description',
      'priority',
      'status',
      'worker_id',
      'attempts',
      'max_attempts',
      'pagerank_score',
      'betweenness_score',
      'on_critical_path',
      'combined_priority',
      'created_at',
      'updated_at',
      'started_at',
      'completed_at',
      'prompt_path',
      'output_path',
      'context_hash',
    ],
    indexes: ['idx_tasks_project', 'idx_tasks_status', 'idx_tasks_priority', 'idx_tasks_parent', 'idx_tasks_worker'],
  },
  {
    name: 'dependencies',
    columns: ['child_id', 'parent_id', 'created_at'],
    indexes: ['idx_deps_parent', 'idx_deps_child'],
  },
  {
    name: 'workers',
    columns: [
      'id',
      'name',
      'type',
      'status',
      'current_task_id',
      'command',
      'args',
      'prompt_flag',
      'working_dir',
      'timeout_seconds',
      'tasks_completed',
      'tasks_failed',
      'avg_completion_seconds',
      'created_at',
      'last_active_at',
    ],
    indexes: ['idx_workers_status', 'idx_workers_type'],
  },
  {
    name: 'queue',
    columns: ['task_id', 'priority_score', 'ready_at', 'assigned_at', 'worker_id'],
    // The queue is a view, which cannot have indexes; idx_tasks_claim replaces them.
    indexes: [],
  },
  {
    name: 'chat_messages',
    columns: ['id', 'project_id', 'task_id', 'role', 'content', 'media_type', 'media_path', 'created_at'],
    indexes: ['idx_chat_project', 'idx_chat_task'],
  },
  {
    name: 'summaries',
    columns: [
      'id',
      'project_id',
      'task_id',
      'message_range_start',
      'message_range_end',
      'summary',
      'key_decisions',
      'token_count',
      'created_at',
    ],
    indexes: ['idx_summaries_project', 'idx_summaries_range'],
  },
  {
    name: 'events',
    columns: ['id', 'event_type', 'entity_type', 'entity_id', 'data', 'created_at'],
    indexes: ['idx_events_entity', 'idx_events_type'],
  },
];
