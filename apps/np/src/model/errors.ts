import { defineErrors } from '@holdfast/base';

/** The first messages are those of the design document, word for word. */
export const npErrors = defineErrors({
  NO_SESSION: {
    kind: 'not_found',
    means: 'Neither this directory nor any directory above it has an active session.',
    hint: "Start one with 'np s', or name one with --session.",
  },
  NO_GOAL: {
    kind: 'not_found',
    means: 'The session has no goal to show or update.',
    hint: '',
  },
  GOAL_EXISTS: {
    kind: 'conflict',
    means: 'The session already has a goal.',
    hint: '',
  },
  REASON_REQUIRED: {
    kind: 'usage',
    means: 'Rewording, deleting, failing and cancelling require a reason.',
    hint: 'Add -r "why"; the log keeps it.',
  },
  SESSION_NOT_FOUND: {
    kind: 'not_found',
    means: 'No session has this id.',
    hint: "'np ls' lists the sessions.",
  },
  SESSION_AMBIGUOUS: {
    kind: 'conflict',
    means: 'Several sessions have an id that begins or ends like this.',
    hint: 'Give more characters of the id.',
  },
  SESSION_ARCHIVED: {
    kind: 'conflict',
    means: 'An archived session cannot be changed.',
    hint: "Start a new session with 'np s'.",
  },
  SESSION_EXISTS: {
    kind: 'conflict',
    means: 'The imported session exists already, or its directory has an active session.',
    hint: "Nothing was changed. Archive the active session first ('np a'), or import with --archived.",
  },
  TASK_NOT_FOUND: {
    kind: 'not_found',
    means: 'The session has no task with this id.',
    hint: "'np t' lists the tasks with their ids.",
  },
  TASK_AMBIGUOUS: {
    kind: 'conflict',
    means: 'Several tasks of the session have an id that begins like this.',
    hint: 'Give more characters of the id.',
  },
  TASK_STALE: {
    kind: 'conflict',
    means: 'The task has a newer version than the update expects.',
    hint: "Nothing was changed. Read the task again ('np t --json'), then repeat the update.",
  },
  TASK_CLAIMED: {
    kind: 'conflict',
    means: 'Another actor has claimed the task.',
    hint: 'Choose another task, or ask them to release it (np t claim ID --release).',
  },
  TASK_FINISHED: {
    kind: 'conflict',
    means: 'A completed, failed or cancelled task cannot be claimed.',
    hint: 'To do it again, set it to pending first: np t u -i ID -s pending',
  },
  TEXT_INVALID: {
    kind: 'usage',
    means: 'A title or name is empty, or a text is not valid Unicode.',
    hint: 'Nothing was changed; correct the text and repeat.',
  },
  TEXT_TOO_LONG: {
    kind: 'usage',
    means: 'A title, description or reason is longer than 64 KiB.',
    hint: 'Keep the plan short and refer to a file for details.',
  },
  NOTHING_TO_CHANGE: {
    kind: 'usage',
    means: 'The update changes nothing.',
    hint: 'Give a status (-s), a title (-t) or a description (-d) for each task.',
  },
  DIRECTORY_GONE: {
    kind: 'not_found',
    means: 'The working directory, or the one given with --dir, does not exist or is not a directory.',
    hint: 'Change to a directory that exists, or name one with --dir.',
  },
  IMPORT_INVALID: {
    kind: 'usage',
    means: 'The file is not an export of np, or is damaged.',
    hint: "Use the unchanged output of 'np export --format json'.",
  },
  CLOCK_WRONG: {
    kind: 'failed',
    means: 'The clock of this machine is before 1970 or after 2554.',
    hint: 'Nothing was changed. Set the clock (for example with timedatectl) and repeat.',
  },
  NOT_A_TERMINAL: {
    kind: 'usage',
    means: 'The monitor needs a terminal.',
    hint: "Use 'np p' for the plan, or 'np log --follow --json' for changes as they happen.",
  },
  SETUP_FILE_UNREADABLE: {
    kind: 'failed',
    means: 'np setup cannot read or write a settings file, or does not understand it.',
    hint: 'The file was not changed. Correct it and repeat.',
  },
});
