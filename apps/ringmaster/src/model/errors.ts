import { defineErrors } from '@holdfast/base';

export const ringmasterErrors = defineErrors({
  NOT_INITIALISED: {
    kind: 'not_found',
    means: 'Neither this directory nor any above it has a .ringmaster folder.',
    hint: "Run 'ringmaster init' in the project directory, or name it with --dir.",
  },
  CONFIG_INVALID: {
    kind: 'usage',
    means: 'ringmaster.toml cannot be read, or has an unknown key or an invalid value.',
    hint: 'The message names the line. Nothing was done.',
  },
  WORKSPACE_NOT_FOUND: {
    kind: 'not_found',
    means: 'The server has no workspace with this id.',
    hint: "Run 'ringmaster init' in the project directory; the server then lists the workspace.",
  },
  PROJECT_NOT_FOUND: {
    kind: 'not_found',
    means: 'No project has this id; or no project was named, and the workspace has none or several.',
    hint: "'ringmaster project list' lists the projects; choose one with --project.",
  },
  SETTING_INVALID: {
    kind: 'usage',
    means: 'A project setting has the wrong type or contradicts another.',
    hint: "Nothing was changed. 'ringmaster project show' lists the settings and where they come from.",
  },
  PROJECT_EXISTS: { kind: 'conflict', means: 'A project with this id already exists.', hint: 'Choose another id.' },
  TASK_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no task with this id.',
    hint: "'ringmaster task list' shows all tasks.",
  },
  TASK_STALE: {
    kind: 'conflict',
    means: 'The task has changed since the given version.',
    hint: "Nothing was changed. Read the task again ('ringmaster task show ID --json'), then decide whether to repeat the change.",
  },
  TASK_RUNNING: {
    kind: 'conflict',
    means: 'A worker holds the task, so only that worker may change its status.',
    hint: 'Wait for its report, or cancel it: ringmaster task cancel ID',
  },
  TASK_STATE: {
    kind: 'conflict',
    means: 'The status of the task does not allow this action.',
    hint: "'ringmaster task show ID' shows its status.",
  },
  ID_INVALID: {
    kind: 'usage',
    means: 'The id is too long, or has characters that are not allowed in a file name.',
    hint: 'Use letters, digits, dots, dashes and underscores; start with a letter or digit.',
  },
  ID_TAKEN: { kind: 'conflict', means: 'The id is already taken.', hint: 'Choose another id.' },
  DEPENDENCY_CYCLE: {
    kind: 'conflict',
    means: 'This dependency or parent would make tasks wait for each other forever. The message names the tasks.',
    hint: 'Remove or reverse one of the dependencies between them, or choose another parent.',
  },
  DEPENDENCY_NOT_FOUND: {
    kind: 'not_found',
    means: 'The task does not have this dependency.',
    hint: "'ringmaster dep tree ID' shows what the task depends on.",
  },
  WORKER_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no worker with this id.',
    hint: "'ringmaster worker list' lists the workers; 'ringmaster worker add' adds one.",
  },
  WORKER_EXISTS: { kind: 'conflict', means: 'A worker with this id already exists.', hint: 'Choose another id.' },
  WORKER_UNAVAILABLE: {
    kind: 'conflict',
    means:
      'The worker is offline, parked after a rate limit, or already has its maximum number of tasks. The code also means that another process already runs maintenance.',
    hint: "'ringmaster worker list' shows the worker's status. If it has its maximum number of tasks, finish one ('ringmaster report') or cancel one first. Maintenance needs only one process per database.",
  },
  ATTEMPT_NOT_FOUND: {
    kind: 'not_found',
    means: 'No attempt has this token.',
    hint: "Use the token that 'ringmaster claim' printed.",
  },
  STALE_TOKEN: {
    kind: 'conflict',
    means: 'The attempt with this token has ended: its lease expired, or it was cancelled or already reported.',
    hint: 'Stop working on the task; later work does not count. Claim the next task.',
  },
  NOT_AN_INQUIRY: {
    kind: 'usage',
    means: 'The task is not a decision or question, or is already answered.',
    hint: "'ringmaster inquiries' lists open decisions and questions.",
  },
  ANSWER_NOT_OFFERED: {
    kind: 'usage',
    means: 'The answer is not one of the options that the decision or question offers.',
    hint: "'ringmaster inquiries' shows the options.",
  },
  IMPORT_REFUSED: {
    kind: 'usage',
    means: 'Nothing was imported: the file is not text or, with --strict, a line cannot be imported unchanged.',
    hint: 'The report names each line. Without --strict, such lines are stored and reported.',
  },
  PROMPT_NOT_FOUND: {
    kind: 'not_found',
    means: 'No prompt has been assembled for this task yet.',
    hint: "'ringmaster prompt TASK' assembles one.",
  },
  FILE_UNREADABLE: {
    kind: 'not_found',
    means: 'The file cannot be read.',
    hint: 'Check the path and its permissions.',
  },
  FILE_MISSING: {
    kind: 'failed',
    means: 'A file that the database refers to is missing, and no backup has it.',
    hint: "Run 'ringmaster doctor' to list all missing files.",
  },
  TEXT_INVALID: {
    kind: 'usage',
    means: 'A title or text is empty, too long, or contains a character that cannot be stored.',
    hint: 'Nothing was changed. Correct the text, then repeat the command.',
  },
  RANGE_INVALID: {
    kind: 'conflict',
    means: 'The messages do not exist, belong to another conversation, or are already summarised.',
    hint: "'ringmaster summary list' shows which ranges are covered.",
  },
  NO_WORKERS: {
    kind: 'usage',
    means: 'No worker has a command, so nothing can run.',
    hint: 'Add a worker with a command under [[workers]] in ringmaster.toml.',
  },
  PROMPT_TOO_LONG: {
    kind: 'failed',
    means: 'The prompt is too long for a command-line argument.',
    hint: 'Pass it on standard input or as a file: set prompt = "stdin" or "file" in ringmaster.toml.',
  },
  FOLDER_NOT_USABLE: {
    kind: 'failed',
    means: "The project's folder does not exist, or is not a git repository that has the base commit.",
    hint: 'Check working_dir, use_git and plain_folder in ringmaster.toml, and make sure that the repository has a commit.',
  },
  NESTED_REPOSITORY: {
    kind: 'failed',
    means:
      'A worker created a git repository inside its worktree. The files of that repository would be lost, so the worktree was kept.',
    hint: 'Delete the .git folder of the inner repository, move the repository out of the worktree, or make it a submodule and push its commits; then set the task to ready.',
  },
  MERGE_UNRESOLVED: {
    kind: 'failed',
    means: 'A worker ended with unresolved merge conflicts. Nothing was committed, and the worktree was kept.',
    hint: 'Resolve or abort the merge in the worktree that the message names; then set the task to ready.',
  },
  NOTHING_TO_MERGE: {
    kind: 'not_found',
    means: 'The task has no unmerged work.',
    hint: "'ringmaster task show ID' shows its attempts.",
  },
  BRANCH_NOT_FOUND: {
    kind: 'not_found',
    means: 'The branch to merge into does not exist, or no branch is checked out.',
    hint: 'Name the target branch with --into, or check one out.',
  },
  MERGE_CONFLICT: {
    kind: 'conflict',
    means: "The task's branch and the target branch changed the same lines. Nothing was merged.",
    hint: 'Answer the decision that was opened, or merge by hand.',
  },
  LOG_NOT_FOUND: {
    kind: 'not_found',
    means: 'The task has no such log, or cleanup has deleted it.',
    hint: "'ringmaster task show ID' lists its attempts.",
  },
  NOTHING_TO_UNDO: {
    kind: 'not_found',
    means: 'There is no change to undo.',
    hint: "'ringmaster events' shows what happened.",
  },
  UNDO_OVERTAKEN: {
    kind: 'conflict',
    means: "A later change has overwritten this change, or this change includes a worker's work.",
    hint: "Use 'ringmaster restore --at' to return to an earlier state, or edit by hand.",
  },
});
