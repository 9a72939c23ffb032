import { defineErrors } from '@holdfast/base';

/** What can go wrong with a task list. */
export const utaskErrors = defineErrors({
  TASK_NOT_FOUND: {
    kind: 'not_found',
    means: 'No task has an id that begins like this.',
    hint: "'ut ls' shows the ids.",
  },
  ID_AMBIGUOUS: {
    kind: 'conflict',
    means: 'Several tasks have an id that begins like this.',
    hint: 'Give more characters of the id; 8 are usually enough.',
  },
  PREFIX_TOO_SHORT: {
    kind: 'usage',
    means: 'The beginning of an id must have at least 4 characters.',
    hint: 'Give more characters of the id; 8 are recommended.',
  },
  BAD_ID: {
    kind: 'usage',
    means: 'Ids consist of the digits 0-9 and a-f, 128 of them.',
    hint: "'ut ls' shows the ids; their beginning is enough.",
  },
  BAD_TEXT: {
    kind: 'usage',
    means: 'The text of a task is empty, too long or not text.',
    hint: 'Say what is to be done.',
  },
  BAD_TAG: {
    kind: 'usage',
    means: 'A tag is empty, too long, or has a comma or a control character in it.',
    hint: 'Tags are lowercase names; anything else but commas and control characters is allowed.',
  },
  BAD_PROFILE: {
    kind: 'usage',
    means: 'The name of a profile becomes part of a bucket name.',
    hint: 'Use letters, digits, - and _ only.',
  },
  BAD_CONFIGURATION: {
    kind: 'usage',
    means: 'The configuration file or an address in the environment cannot be understood.',
    hint: 'Correct the file or variable that is named.',
  },
  BAD_IMPORT: {
    kind: 'usage',
    means: 'The file to import is not in the given format. Nothing of it was imported.',
    hint: 'Say the format with --format, or correct the line that is named.',
  },
  SAME_PLACE: {
    kind: 'usage',
    means: 'Tasks would be copied to the list that they are in.',
    hint: 'Say where they come from: --embedded for this machine, or --nats-url or --profile.',
  },
  BAD_RECORD: {
    kind: 'failed',
    means: 'Something else wrote a value that is no task under the key of one.',
    hint: 'Look at it with a NATS client or "holdfast keys utask"; "ut rm" with its id removes it.',
  },
  NO_HISTORY: {
    kind: 'not_found',
    means: 'There is no earlier state to go back to: nothing was changed yet, or it is longer ago than is kept.',
    hint: "'ut log' shows what is kept.",
  },
  STORE_CONTENDED: {
    kind: 'unavailable',
    means: 'Others changed the same key again and again, so that a change could not be made.',
    hint: 'Repeat it.',
  },
  NATS_UNREACHABLE: {
    kind: 'unavailable',
    means: 'The NATS server cannot be reached, or was lost before anything was changed.',
    hint: "Check the address; 'ut server start' starts a server on this machine.",
  },
  NATS_REFUSED: {
    kind: 'unavailable',
    means: 'The NATS server refused the request: credentials, permissions, limits, or JetStream is off.',
    hint: 'The message is the one of the server; JetStream is enabled with "nats-server -js".',
  },
  OUTCOME_UNKNOWN: {
    kind: 'unavailable',
    means: 'The NATS server was lost in the middle of a change, and could not be asked whether it was made.',
    hint: 'Repeat the command when the server is back: a change that was made is not made twice.',
  },
  SERVER_NOT_STARTED: {
    kind: 'failed',
    means: 'The NATS server of this machine could not be started.',
    hint: 'Its log says why. On Debian the program is in the package nats-server.',
  },
});
