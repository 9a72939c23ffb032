import { defineErrors } from '@holdfast/base';

/** What can go wrong with the graph, the queue and what surrounds them. */
export const ringmasterErrors = defineErrors({
  NOT_INITIALISED: {
    kind: 'not_found',
    means: 'Neither this directory nor any above it has a .ringmaster folder.',
    hint: "Run 'ringmaster init' where the project lies, or name the place with --dir.",
  },
  CONFIG_INVALID: {
    kind: 'usage',
    means: 'ringmaster.toml cannot be read, has a key that does not exist, or a value of the wrong kind.',
    hint: 'The message names the line. Nothing was done.',
  },
  WORKSPACE_NOT_FOUND: {
    kind: 'not_found',
    means: 'The server knows no project directory of this name.',
    hint: "Run 'ringmaster init' in the directory once; the server then shows it.",
  },
  PROJECT_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no project of this id, or none was named and there is not exactly one.',
    hint: "'ringmaster project list' shows them; choose one with --project.",
  },
  SETTING_INVALID: {
    kind: 'usage',
    means: 'A setting of a project is of the wrong kind, or does not fit the others.',
    hint: "Nothing was changed. 'ringmaster project show' lists the settings and where they come from.",
  },
  PROJECT_EXISTS: { kind: 'conflict', means: 'A project of this id exists already.', hint: 'Choose another id.' },
  TASK_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no task of this id.',
    hint: "'ringmaster task list' shows them with their ids.",
  },
  TASK_STALE: {
    kind: 'conflict',
    means: 'The task was changed since the version that the edit was made for.',
    hint: "Nothing was changed. Read it again ('ringmaster task show ID --json') and decide anew.",
  },
  TASK_RUNNING: {
    kind: 'conflict',
    means: 'The task is held by a worker, so only that worker may move it.',
    hint: 'Wait for its report, or take it away: ringmaster task cancel ID',
  },
  TASK_STATE: {
    kind: 'conflict',
    means: 'The task is not in a state from which this step is possible.',
    hint: "'ringmaster task show ID' tells its state.",
  },
  ID_INVALID: {
    kind: 'usage',
    means: 'An id has characters that could not be part of a file name, or is too long.',
    hint: 'Ids are letters, digits, dots, dashes and underscores, and begin with a letter or digit.',
  },
  ID_TAKEN: { kind: 'conflict', means: 'The id belongs to something else already.', hint: 'Choose another id.' },
  DEPENDENCY_CYCLE: {
    kind: 'conflict',
    means: 'The link would make tasks wait for each other for ever. The message names them in order.',
    hint: 'Remove one of the links named, or turn it round.',
  },
  DEPENDENCY_NOT_FOUND: {
    kind: 'not_found',
    means: 'The task does not depend on the other in this way.',
    hint: "'ringmaster dep tree ID' shows what it depends on.",
  },
  WORKER_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no worker of this id.',
    hint: "'ringmaster worker list' shows them; 'ringmaster worker add' adds one.",
  },
  WORKER_EXISTS: { kind: 'conflict', means: 'A worker of this id exists already.', hint: 'Choose another id.' },
  WORKER_UNAVAILABLE: {
    kind: 'conflict',
    means: 'The worker is offline, parked after a rate limit, or has as many tasks as it may.',
    hint: "'ringmaster worker list' says which. Report or release what it holds first.",
  },
  ATTEMPT_NOT_FOUND: {
    kind: 'not_found',
    means: 'Nobody was ever given a task with this token.',
    hint: "Use the token that 'ringmaster claim' printed.",
  },
  STALE_TOKEN: {
    kind: 'conflict',
    means: 'The attempt with this token has ended: its lease ran out, or it was cancelled or reported before.',
    hint: 'Stop working on the task; what was done since is nobody’s. Claim again if there is work.',
  },
  NOT_AN_INQUIRY: {
    kind: 'usage',
    means: 'The task to be answered is neither a decision nor a question, or has been answered.',
    hint: "'ringmaster ask --list' and 'ringmaster decide --list' show the open ones.",
  },
  IMPORT_REFUSED: {
    kind: 'usage',
    means: 'The file is no text, or with --strict, some line could not be taken as it is. Nothing was changed.',
    hint: 'The report names each line. Without --strict they are kept and reported.',
  },
  PROMPT_NOT_FOUND: {
    kind: 'not_found',
    means: 'No prompt was assembled for the task yet.',
    hint: "'ringmaster prompt TASK' assembles one.",
  },
  FILE_UNREADABLE: {
    kind: 'not_found',
    means: 'A file that was named cannot be read.',
    hint: 'Check the path and its permissions.',
  },
  FILE_MISSING: {
    kind: 'failed',
    means: 'A file that the state refers to is neither in its place nor in a backup.',
    hint: "Run 'ringmaster doctor' to see all of them.",
  },
  TEXT_INVALID: {
    kind: 'usage',
    means: 'A title or text is empty where it may not be, is too long, or has a character that cannot be stored.',
    hint: 'Nothing was changed; correct the text and repeat.',
  },
  RANGE_INVALID: {
    kind: 'conflict',
    means: 'The messages to be summarised do not exist, belong elsewhere, or are summarised already.',
    hint: "'ringmaster summary list' shows which ranges are covered.",
  },
  NO_WORKERS: {
    kind: 'usage',
    means: 'There is no worker with a command, so nothing can be run.',
    hint: 'Describe one as [[workers]] in ringmaster.toml.',
  },
  PROMPT_TOO_LONG: {
    kind: 'failed',
    means: 'The prompt is longer than an argument of a program can be.',
    hint: 'Give it by standard input or as a file: prompt = "stdin" or "file" in ringmaster.toml.',
  },
  FOLDER_NOT_USABLE: {
    kind: 'failed',
    means: 'The folder of a project is not there, or is no git repository where one is required.',
    hint: 'Check working_dir, use_git and plain_folder in ringmaster.toml, and that the repository has a commit.',
  },
  NESTED_REPOSITORY: {
    kind: 'failed',
    means:
      'A worker made a git repository inside its worktree. Its files would be lost, so the worktree was left as it is.',
    hint: 'Delete its .git folder, move it away, or make it a submodule whose commits are pushed; then set the task to ready.',
  },
  MERGE_UNRESOLVED: {
    kind: 'failed',
    means:
      'A worker ended in the middle of a merge with conflicts. Nothing was committed, and the worktree was left as it is.',
    hint: 'Resolve or abort the merge in the worktree that the message names; then set the task to ready.',
  },
  NOTHING_TO_MERGE: {
    kind: 'not_found',
    means: 'No attempt of the task left a branch with work that is not merged yet.',
    hint: "'ringmaster task show ID' tells what happened to it.",
  },
  MERGE_CONFLICT: {
    kind: 'conflict',
    means: 'The branch of a task and the branch it goes into changed the same lines. Nothing was merged.',
    hint: 'A decision was opened about it; answer it, or merge by hand.',
  },
  LOG_NOT_FOUND: {
    kind: 'not_found',
    means: 'The task has no log of this number, or it was cleaned up.',
    hint: "'ringmaster task show ID' lists its attempts.",
  },
  NOTHING_TO_UNDO: {
    kind: 'not_found',
    means: 'No change is left that could be undone.',
    hint: "'ringmaster events' shows what happened.",
  },
  UNDO_OVERTAKEN: {
    kind: 'conflict',
    means: 'What the change left behind was changed again since, or the work of a worker is part of it.',
    hint: "Use 'ringmaster restore --at' to go back further, or edit by hand.",
  },
});
