import { defineErrors } from '@holdfast/base';

/** What can go wrong with a plan. The first messages are the seed's own and are thrown word for word. */
export const npErrors = defineErrors({
  NO_SESSION: {
    kind: 'not_found',
    means: 'Neither this directory nor any directory above it has an active session.',
    hint: "Start one with 'np s', or name one with --session.",
  },
  NO_GOAL: {
    kind: 'not_found',
    means: 'The goal was to be updated or shown, and none has been set.',
    hint: '',
  },
  GOAL_EXISTS: {
    kind: 'conflict',
    means: 'The goal was to be set, and the session has one already.',
    hint: '',
  },
  REASON_REQUIRED: {
    kind: 'usage',
    means: 'A goal or task was to be reworded, deleted, failed or cancelled without saying why.',
    hint: 'Add -r "why": it is kept in the log for whoever reads the plan later.',
  },
  SESSION_NOT_FOUND: {
    kind: 'not_found',
    means: 'There is no session with this id.',
    hint: "'np ls' lists the sessions.",
  },
  SESSION_AMBIGUOUS: {
    kind: 'conflict',
    means: 'Several sessions have an id that begins or ends like this.',
    hint: 'Give more characters of the id.',
  },
  SESSION_ARCHIVED: {
    kind: 'conflict',
    means: 'An archived session was to be changed.',
    hint: "Archived plans are kept as they are. Start a new session with 'np s'.",
  },
  SESSION_EXISTS: {
    kind: 'conflict',
    means: 'A session was to be imported that is here already, or whose directory has an active one.',
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
    means: 'The task was changed since the version that the update was made for.',
    hint: "Nothing was changed. Read the task again ('np t --json') and decide anew.",
  },
  TASK_CLAIMED: {
    kind: 'conflict',
    means: 'The task is claimed by somebody else.',
    hint: 'Choose another task, or ask them to release it (np t claim ID --release).',
  },
  TASK_FINISHED: {
    kind: 'conflict',
    means: 'A task that is completed, failed or cancelled was to be claimed.',
    hint: 'Set it to pending first if it has to be done again: np t u -i ID -s pending',
  },
  TEXT_INVALID: {
    kind: 'usage',
    means: 'A title, description or reason is empty where it may not be, or is not valid Unicode.',
    hint: 'Nothing was changed; correct the text and repeat.',
  },
  TEXT_TOO_LONG: {
    kind: 'usage',
    means: 'A title, description or reason is longer than 64 KiB.',
    hint: 'Keep the plan short and refer to a file for the rest.',
  },
  NOTHING_TO_CHANGE: {
    kind: 'usage',
    means: 'An update names nothing that is to be changed.',
    hint: 'Give a status (-s), a title (-t) or a description (-d) for each task.',
  },
  DIRECTORY_GONE: {
    kind: 'not_found',
    means: 'The working directory, or the one given with --dir, does not exist or is not a directory.',
    hint: 'Change to a directory that exists, or name one with --dir.',
  },
  IMPORT_INVALID: {
    kind: 'usage',
    means: 'What was to be imported is not an export of np, or was damaged.',
    hint: "Use the output of 'np export --format json' as it is.",
  },
  CLOCK_WRONG: {
    kind: 'failed',
    means: 'The clock of this machine is so wrong that nothing can be put into the order of time.',
    hint: 'Nothing was changed. Set the clock (timedatectl, or the settings of the machine) and repeat.',
  },
  NOT_A_TERMINAL: {
    kind: 'usage',
    means: 'The monitor was started where nobody can see it.',
    hint: "Use 'np p' for the plan, or 'np log --follow --json' for changes as they happen.",
  },
  SETUP_FILE_UNREADABLE: {
    kind: 'failed',
    means: 'A settings file that np setup wants to change cannot be read or written, or is not what it expects.',
    hint: 'Correct the file by hand and repeat; it was not touched.',
  },
});
