import { defineErrors } from '@holdfast/base';

export const ringmasterErrors = defineErrors({
  NOT_INITIALISED: {
    kind: 'not_found',
    means: 'Neither this directory nor any above it has a .ringmaster folder.',
    hint: "Run 'ringmaster init' in the project directory, or name it with --dir.",
  },
  CONFIG_INVALID: {
    kind: 'usage',
    means: 'ringmaster.toml cannot be read, has an unknown key, or a value of the wrong type.',
    hint: 'The message names the line. Nothing was done.',
  },
  WORKSPACE_NOT_FOUND: {
    kind: 'not_found',
    means: 'The server knows no workspace with this id.',
    hint: "Run 'ringmaster init' in the directory; the server then lists it.",
  },
  PROJECT_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no project with this id, or no project was named and there is not exactly one.',
    hint: "'ringmaster project list' shows them; choose one with --project.",
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
    hint: "Nothing was changed. Read it again ('ringmaster task show ID --json') and decide again.",
  },
  TASK_RUNNING: {
    kind: 'conflict',
    means: 'A worker holds the task, so only that worker may change its status.',
    hint: 'Wait for its report, or cancel it: ringmaster task cancel ID',
  },
  TASK_STATE: {
    kind: 'conflict',
    means: "The task's status does not allow this.",
    hint: "'ringmaster task show ID' shows its status.",
  },
  ID_INVALID: {
    kind: 'usage',
    means: 'An id has characters that a file name cannot have, or is too long.',
    hint: 'Ids consist of letters, digits, dots, dashes and underscores, and start with a letter or digit.',
  },
  ID_TAKEN: { kind: 'conflict', means: 'The id is already taken.', hint: 'Choose another id.' },
  DEPENDENCY_CYCLE: {
    kind: 'conflict',
    means: 'The link would close a cycle: tasks would wait for each other for ever. The message names them in order.',
    hint: 'Remove or reverse one of these links.',
  },
  DEPENDENCY_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no such dependency.',
    hint: "'ringmaster dep tree ID' shows what it depends on.",
  },
  WORKER_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no worker with this id.',
    hint: "'ringmaster worker list' shows them; 'ringmaster worker add' adds one.",
  },
  WORKER_EXISTS: { kind: 'conflict', means: 'A worker with this id already exists.', hint: 'Choose another id.' },
  WORKER_UNAVAILABLE: {
    kind: 'conflict',
    means:
      'The worker is offline, parked after a rate limit, or at its limit of tasks; or another process already runs maintenance.',
    hint: "'ringmaster worker list' shows which. Report or release its tasks first.",
  },
  ATTEMPT_NOT_FOUND: {
    kind: 'not_found',
    means: 'No attempt has this token.',
    hint: "Use the token that 'ringmaster claim' printed.",
  },
  STALE_TOKEN: {
    kind: 'conflict',
    means: 'The attempt with this token has ended: its lease expired, or it was cancelled or already reported.',
    hint: 'Stop working on the task; work since then does not count. Claim the next task.',
  },
  NOT_AN_INQUIRY: {
    kind: 'usage',
    means: 'The task is not a decision or question, or is already answered.',
    hint: "'ringmaster inquiries' lists the open ones.",
  },
  ANSWER_NOT_OFFERED: {
    kind: 'usage',
    means: 'The decision or question offers options, and the answer is none of them.',
    hint: "'ringmaster inquiries' shows the options.",
  },
  IMPORT_REFUSED: {
    kind: 'usage',
    means: 'The file is not text or, with --strict, a line could not be imported unchanged. Nothing was changed.',
    hint: 'The report names each line. Without --strict such lines are stored and reported.',
  },
  PROMPT_NOT_FOUND: {
    kind: 'not_found',
    means: 'No prompt was assembled for the task yet.',
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
    means: 'A title or text is empty, too long, or has a character that cannot be stored.',
    hint: 'Nothing was changed; correct the text and repeat.',
  },
  RANGE_INVALID: {
    kind: 'conflict',
    means: 'The messages do not exist, belong to another conversation, or are already summarised.',
    hint: "'ringmaster summary list' shows which ranges are covered.",
  },
  NO_WORKERS: {
    kind: 'usage',
    means: 'No worker has a command, so nothing can run.',
    hint: 'Describe one as [[workers]] in ringmaster.toml.',
  },
  PROMPT_TOO_LONG: {
    kind: 'failed',
    means: 'The prompt is too long for a command-line argument.',
    hint: 'Pass it by standard input or as a file: prompt = "stdin" or "file" in ringmaster.toml.',
  },
  FOLDER_NOT_USABLE: {
    kind: 'failed',
    means: "The project's folder does not exist, or is not a git repository with the base commit.",
    hint: 'Check working_dir, use_git and plain_folder in ringmaster.toml, and that the repository has a commit.',
  },
  NESTED_REPOSITORY: {
    kind: 'failed',
    means: 'A worker created a git repository inside its worktree. Its files would be lost, so the worktree was kept.',
    hint: 'Delete its .git folder, move it away, or make it a submodule whose commits are pushed; then set the task to ready.',
  },
  MERGE_UNRESOLVED: {
    kind: 'failed',
    means: 'A worker ended during a merge with conflicts. Nothing was committed, and the worktree was kept.',
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
    means: 'The task has no such log, or it was cleaned up.',
    hint: "'ringmaster task show ID' lists its attempts.",
  },
  NOTHING_TO_UNDO: {
    kind: 'not_found',
    means: 'There is no change to undo.',
    hint: "'ringmaster events' shows what happened.",
  },
  UNDO_OVERTAKEN: {
    kind: 'conflict',
    means: "The change was overwritten since, or a worker's work is part of it.",
    hint: "Use 'ringmaster restore --at' to go back further, or edit by hand.",
  },
});
