import { defineErrors } from '@holdfast/base';

/** The messages of the first four codes are exactly those of np's design document. */
export const npErrors = defineErrors({
  NO_SESSION: {
    kind: 'not_found',
    means: 'Neither this directory nor any directory above it has an active session.',
    hint: "Start one with 'np s', or name one with --session.",
  },
  NO_GOAL: {
    kind: 'not_found',
    means: "The session has no goal to show or update; 'np g s' sets the goal.",
    hint: '',
  },
  GOAL_EXISTS: {
    kind: 'conflict',
    means: "The session already has a goal; 'np g u' changes it.",
    hint: '',
  },
  REASON_REQUIRED: {
    kind: 'usage',
    means: 'Rewording, deleting, failing and cancelling require a reason.',
    hint: 'Add a reason with -r "why"; the log keeps it.',
  },
  SESSION_NOT_FOUND: {
    kind: 'not_found',
    means: 'No session has this id.',
    hint: "'np ls' lists the sessions.",
  },
  SESSION_AMBIGUOUS: {
    kind: 'conflict',
    means: 'Several session ids begin or end with these characters.',
    hint: 'Give more characters of the id.',
  },
  SESSION_ARCHIVED: {
    kind: 'conflict',
    means: 'An archived session cannot be changed.',
    hint: "Reactivate it with 'np a SID --undo', or start a new session with 'np s'.",
  },
  SESSION_EXISTS: {
    kind: 'conflict',
    means: 'The imported session already exists, or its directory has an active session.',
    hint: "Nothing was changed. Archive the active session first ('np a'), or import with --archived.",
  },
  TASK_NOT_FOUND: {
    kind: 'not_found',
    means: 'The session has no task with this id.',
    hint: "'np t' lists the tasks with their ids.",
  },
  TASK_AMBIGUOUS: {
    kind: 'conflict',
    means: 'Several task ids in this session begin with these characters.',
    hint: 'Give more characters of the id.',
  },
  TASK_STALE: {
    kind: 'conflict',
    means: 'The task has a newer version than the update expects.',
    hint: "Nothing was changed. Read the task again ('np t --json'), then repeat the update.",
  },
  TASK_CLAIMED: {
    kind: 'conflict',
    means: 'Another actor has claimed the task, so only that actor may claim, finish, reopen or delete it.',
    hint:
      'Choose another task, or take this one over: np t claim ID --takeover -r "why". To change the task without ' +
      'claiming it, add --force to np t u, np t rm or np t release.',
  },
  NOTHING_TO_UNDO: {
    kind: 'not_found',
    means: 'This actor has made no change in this session that can still be undone.',
    hint: "'np log' shows all changes. If the change was made with --actor, give the same --actor.",
  },
  UNDO_CONFLICT: {
    kind: 'conflict',
    means: 'The change cannot be undone because somebody else has since changed the same record.',
    hint: "Nothing was changed. 'np log' shows the later changes; correct the task with a new change.",
  },
  TASK_FINISHED: {
    kind: 'conflict',
    means: 'A completed, failed or cancelled task cannot be claimed.',
    hint: 'To do the task again, set it to pending first: np t u -i ID -s pending',
  },
  TEXT_INVALID: {
    kind: 'usage',
    means: 'A title or name is empty, or some text is not valid Unicode.',
    hint: 'Nothing was changed. Correct the text, then repeat the command.',
  },
  TEXT_TOO_LONG: {
    kind: 'usage',
    means: 'A title, description or reason is longer than 64 KiB.',
    hint: 'Keep the plan short and refer to a file for details.',
  },
  NOTHING_TO_CHANGE: {
    kind: 'usage',
    means: 'The update changes nothing.',
    hint: 'Give a status (-s), a title (-t), a description (-d) or a note (-n) for each task.',
  },
  DIRECTORY_GONE: {
    kind: 'not_found',
    means: 'The working directory, or the one given with --dir, does not exist or is not a directory.',
    hint: 'Change to an existing directory, or name one with --dir.',
  },
  IMPORT_INVALID: {
    kind: 'usage',
    means: 'The file is not an np export, or it is damaged.',
    hint: "Use the unchanged output of 'np export --format json'.",
  },
  CLOCK_WRONG: {
    kind: 'failed',
    means: 'The system clock is set to a time before 1970 or after 2554.',
    hint: 'Nothing was changed. Set the clock (for example with timedatectl), then repeat the command.',
  },
  NEEDS_LOCAL_PLAN: {
    kind: 'usage',
    means: 'The command works only with plans on this machine, not with --server or NP_SERVER.',
    hint: 'Open the dashboard of the server, or run the command where the plans are, without NP_SERVER.',
  },
  NOT_A_TERMINAL: {
    kind: 'usage',
    means: 'The monitor needs a terminal.',
    hint: "Use 'np p' for the plan, or 'np log --follow --json' for changes as they happen.",
  },
});
