import { defineErrors } from '@holdfast/base';

export const utaskErrors = defineErrors({
  TASK_NOT_FOUND: {
    kind: 'not_found',
    means: 'No task id has this prefix.',
    hint: "'ut ls' shows the ids.",
  },
  ID_AMBIGUOUS: {
    kind: 'conflict',
    means: 'Several task ids have this prefix.',
    hint: 'Give more characters of the id; 8 are usually enough.',
  },
  PREFIX_TOO_SHORT: {
    kind: 'usage',
    means: 'An id prefix must have at least 4 characters.',
    hint: 'Give more characters of the id; 8 are recommended.',
  },
  BAD_ID: {
    kind: 'usage',
    means: 'The id or prefix has more than 128 characters, or characters other than 0-9 and a-f.',
    hint: "'ut ls' shows the ids; a prefix is enough.",
  },
  BAD_TEXT: {
    kind: 'usage',
    means: 'The task text is empty, too long or not valid Unicode.',
    hint: 'Use at most 64,000 characters.',
  },
  BAD_TAG: {
    kind: 'usage',
    means: 'A tag is empty, too long or not valid Unicode, or contains a comma or a control character.',
    hint: 'Use any characters except commas and control characters. Capital letters become lowercase.',
  },
  BAD_DUE: {
    kind: 'usage',
    means: 'The due date is not a date that ut can read.',
    hint: 'Examples: today, friday, 3d, 2w, 2026-11-20, 2026-11-20T15:00:00Z. The word none removes the due date.',
  },
  BAD_PROFILE: {
    kind: 'usage',
    means: 'The profile name contains characters that a NATS bucket name does not allow.',
    hint: 'Use letters, digits, - and _ only.',
  },
  BAD_CONFIGURATION: {
    kind: 'usage',
    means: 'The configuration file, or a server address in an environment variable, is invalid.',
    hint: 'Correct the file or variable that the message names.',
  },
  BAD_IMPORT: {
    kind: 'usage',
    means: 'The file is not in the given format, or its format cannot be detected. Nothing was imported.',
    hint: 'Give the format with --format, or correct the entry that the message names.',
  },
  SAME_STORE: {
    kind: 'usage',
    means: 'Source and destination are the same task list.',
    hint: 'Choose the source with --embedded (this machine), --nats-url or --profile.',
  },
  BAD_RECORD: {
    kind: 'failed',
    means: 'The value stored under a task id is not a task; another program wrote it.',
    hint: 'Inspect the value with a NATS client or "holdfast keys utask"; "ut rm ID" removes it.',
  },
  TASK_CHANGED: {
    kind: 'conflict',
    means: 'Another client has changed the task since the given revision. Nothing was changed.',
    hint: "'ut log ID' shows the changes; repeat the command with the new revision, which 'ut show ID' prints.",
  },
  EDITOR_FAILED: {
    kind: 'failed',
    means: 'The editor could not be started, or it ended with an error. Nothing was changed.',
    hint: "Set VISUAL or EDITOR to your editor's command, for example EDITOR=nano.",
  },
  CLOCK_WRONG: {
    kind: 'failed',
    means: 'The system clock is set to a time before 1970.',
    hint: 'Nothing was changed. Set the clock (for example with timedatectl), then repeat the command.',
  },
  NO_HISTORY: {
    kind: 'not_found',
    means:
      'Nothing can be undone or redone: you have made no change, another client has changed the task since your change, or the earlier state is no longer kept.',
    hint: "'ut log ID' lists the states that are kept.",
  },
  STORE_CONTENDED: {
    kind: 'unavailable',
    means: 'Every attempt failed because other clients changed the same key. Nothing was changed.',
    hint: 'Repeat the command.',
  },
  NATS_UNREACHABLE: {
    kind: 'unavailable',
    means: 'The NATS server cannot be reached. Nothing was changed.',
    hint: "Check the address; 'ut server start' starts a server on this machine.",
  },
  REPLICA_BEHIND: {
    kind: 'unavailable',
    means: "A NATS server lacks changes that the bucket's leader has.",
    hint: "Repeat the command; 'ut server status' shows which server is behind.",
  },
  NATS_REFUSED: {
    kind: 'unavailable',
    means:
      'The NATS server refused the request because of credentials, permissions or limits, or because JetStream is off.',
    hint:
      'The message contains the reason that the server gave. To enable JetStream, start the server with "nats-server ' +
      '-js".',
  },
  OUTCOME_UNKNOWN: {
    kind: 'unavailable',
    means: 'The connection to the NATS server was lost during a change; the outcome is unknown.',
    hint: 'Repeat the command when the server is back; the change is not made twice.',
  },
  SERVER_NOT_STARTED: {
    kind: 'failed',
    means: 'The NATS server on this machine could not be started.',
    hint: 'Its log says why. If nats-server is not installed, install it (Debian package: nats-server).',
  },
});
