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
    hint: 'Nothing was done. Correct the line that the message names.',
  },
  WORKSPACE_FOLDER: {
    kind: 'conflict',
    means:
      'The directory cannot be a workspace, because it does not exist, is a home directory or contains credentials.',
    hint: 'Choose the directory of one project.',
  },
  WORKSPACE_NOT_FOUND: {
    kind: 'not_found',
    means: 'The server has no workspace with this id.',
    hint: "Run 'ringmaster init' in the project directory; the server then lists the workspace.",
  },
  PROJECT_NOT_FOUND: {
    kind: 'not_found',
    means: 'No project has this id. Without an id, the workspace must have exactly one project.',
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
    hint: 'Wait until the worker reports, or cancel the task: ringmaster task cancel ID',
  },
  TASK_STATE: {
    kind: 'conflict',
    means: "The task's status does not allow this action.",
    hint: "'ringmaster task show ID' shows its status.",
  },
  TASK_DELETED: {
    kind: 'conflict',
    means: 'The task, or a task that it needs, is deleted.',
    hint: 'Restore the deleted task first: ringmaster task restore ID',
  },
  TASK_NEEDED: {
    kind: 'conflict',
    means: 'Unfinished tasks depend on the task, so it cannot be deleted.',
    hint: "Delete those tasks too, in the same command, or remove the dependencies with 'ringmaster dep rm TASK DEPENDENCY'.",
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
  RUN_ACTIVE: {
    kind: 'conflict',
    means: 'Workers for this workspace are already running.',
    hint: "'ringmaster status' shows who started them. Stop them first: ringmaster stop",
  },
  RUN_NOT_ACTIVE: {
    kind: 'conflict',
    means: 'No workers are running for this workspace, so there is nothing to stop.',
    hint: "Nothing was changed. 'ringmaster run' starts workers.",
  },
  RUN_SETTINGS_CHANGED: {
    kind: 'conflict',
    means: 'ringmaster.toml has changed since the page showed which programs it starts.',
    hint: 'Nothing was started. Check the programs again, then start the workers.',
  },
  RUN_NOT_STARTED: {
    kind: 'failed',
    means: 'The server could not start the workers. The message says why.',
    hint: "Solve the problem, then try again. 'ringmaster run --check' tests each worker.",
  },
  MAINTENANCE_RUNNING: {
    kind: 'conflict',
    means: 'Another process already runs maintenance on this database.',
    hint: 'No action is needed. To run maintenance in this process instead, stop the other process first.',
  },
  WORKER_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no worker with this id.',
    hint: "'ringmaster worker list' lists the workers; 'ringmaster worker add' adds one.",
  },
  WORKER_EXISTS: { kind: 'conflict', means: 'A worker with this id already exists.', hint: 'Choose another id.' },
  WORKER_UNAVAILABLE: {
    kind: 'conflict',
    means: 'The worker is offline, parked after a problem, or already has its maximum number of tasks.',
    hint: "'ringmaster worker list' shows the worker's status. If it has its maximum number of tasks, finish one ('ringmaster report')  or cancel one first.",
  },
  ATTEMPT_NOT_FOUND: {
    kind: 'not_found',
    means: 'No attempt has this token.',
    hint: "Use the token that 'ringmaster claim' printed.",
  },
  STALE_TOKEN: {
    kind: 'conflict',
    means: 'The attempt with this token has ended: its lease expired, or it was cancelled or already reported.',
    hint: 'Stop working on the task: ringmaster no longer accepts a report for this attempt. Claim the next task.',
  },
  DECISION_OPEN: {
    kind: 'conflict',
    means: 'A decision about the task has not been answered yet, so the task cannot be completed.',
    hint: "Report the task as blocked; it becomes ready again when the decision is answered. 'ringmaster task show ID' shows the decision.",
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
    means:
      'Nothing was imported: the file is not text, a plan has mistakes or, with --strict, a line cannot be imported unchanged.',
    hint: 'The message names the lines; --dry-run lists all of them.',
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
    means: 'The messages to summarise do not exist, belong to another conversation, or are already summarised.',
    hint: "'ringmaster summary list' shows which messages are already summarised.",
  },
  NO_WORKERS: {
    kind: 'usage',
    means: 'No worker has a command, so nothing can run.',
    hint: 'Add a worker with a command under [[workers]] in ringmaster.toml.',
  },
  PROMPT_TOO_LONG: {
    kind: 'failed',
    means: 'The prompt is too long for a command-line argument.',
    hint: 'Pass the prompt on standard input or as a file: set prompt = "stdin" or "file" in ringmaster.toml.',
  },
  FOLDER_NOT_USABLE: {
    kind: 'failed',
    means: "The project's folder does not exist, is not a git repository, or lacks the base commit.",
    hint: 'Check working_dir, use_git and plain_folder in ringmaster.toml, and make sure that the repository has a commit.',
  },
  TERMINAL_REQUIRED: {
    kind: 'usage',
    means: 'The command opens an interactive session, but standard input or output is not a terminal.',
    hint: "Run the command in a terminal. To see a worker's output without a terminal, use 'ringmaster logs TASK --follow'.",
  },
  SANDBOX_UNAVAILABLE: {
    kind: 'failed',
    means: 'ringmaster.toml sets sandbox = "bwrap", but bubblewrap is not installed or cannot isolate processes here.',
    hint: 'Nothing was started. Install bubblewrap (Debian: apt install bubblewrap). If the system forbids user namespaces, allow them, or set sandbox = "none".',
  },
  WORKTREE_SETUP_FAILED: {
    kind: 'failed',
    means:
      'The worktree of an attempt could not be set up: setup_command failed, a path in copy_paths or link_paths leads out of the repository, or no ports are left.',
    hint: 'The message names the cause. Correct the repository or [run] in ringmaster.toml; the attempt counts as failed.',
  },
  NESTED_REPOSITORY: {
    kind: 'failed',
    means:
      "A worker created a git repository inside its worktree. That repository's files would be lost, so the worktree was kept.",
    hint: "Delete the inner repository's .git folder, move the repository out of the worktree, or make it a submodule and push its commits; then set the task to ready.",
  },
  SUBMODULE_EMPTY: {
    kind: 'failed',
    means:
      'A worker wrote files into a submodule that is not checked out. git cannot commit these files, so the worktree ' +
      'was kept.',
    hint: "Save the files, then run 'git submodule update --init' in the repository and set the task to ready.",
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
  GITHUB_FAILED: {
    kind: 'failed',
    means: 'git could not push the branch, gh could not reach GitHub, or GitHub refused the request.',
    hint: "The message says why. Check your login with 'gh auth status', then repeat the command.",
  },
  REMOTE_NOT_FOUND: {
    kind: 'not_found',
    means: "The project's repository has no remote named origin, or that remote is not a GitHub repository.",
    hint: "Add the remote with 'git remote add origin URL'.",
  },
  BRANCH_NOT_ARRIVED: {
    kind: 'conflict',
    means: 'A machine reported work whose commits are not on the branch in the remote repository.',
    hint: "'ringmaster run --server' pushes the branch and reports again.",
  },
  SERVER_FOLDER: {
    kind: 'conflict',
    means:
      'The directory already contains its own tasks or tasks from another server, so it cannot be used for this server.',
    hint: "Use an empty directory with its own ringmaster.toml for 'ringmaster run --server'.",
  },
  BRANCH_NOT_FOUND: {
    kind: 'not_found',
    means: 'The branch to merge into does not exist, or no branch is checked out.',
    hint: 'Name the target branch with --into, or check one out.',
  },
  MERGE_CONFLICT: {
    kind: 'conflict',
    means: "The task's branch and the target branch changed the same lines. Nothing was merged.",
    hint: "Answer the open decision with 'ringmaster answer', or merge by hand.",
  },
  DEPENDENCY_CONFLICT: {
    kind: 'conflict',
    means:
      'Dependencies of the task changed the same lines on branches that are not merged yet, so the task cannot start.',
    hint: "Merge one of the branches that the message names, or delete a branch that is not needed; then answer the decision with 'try again'.",
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
    means: "A later change affects the same data, or this change affects a worker's attempt.",
    hint: "Use 'ringmaster restore --at' to return to an earlier state, or make the correction as a new change.",
  },
});
