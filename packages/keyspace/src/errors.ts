import { defineErrors } from '@holdfast/base';

export const keyspaceErrors = defineErrors({
  KEY_INVALID: {
    kind: 'usage',
    means: 'A part of the key has the wrong type, or an earlier part is missing.',
    hint: 'Give the parts of the key from left to right without gaps, each with the type that the template names.',
  },
  KEY_TOO_LONG: {
    kind: 'usage',
    means: 'The key is longer than 1,024 bytes. Nothing was written.',
    hint: 'Shorten the parts of the key.',
  },
  VALUE_TOO_LARGE: {
    kind: 'usage',
    means: 'The value is larger than 16 MiB. Nothing was written.',
    hint: 'Keep large content in a file and store its path.',
  },
  COMMIT_TOO_LARGE: {
    kind: 'usage',
    means: 'The transaction writes more than 64 MiB. Nothing was written.',
    hint: 'Split the work into several transactions.',
  },
  TEXT_NOT_STORABLE: {
    kind: 'usage',
    means:
      'The text contains a NUL character or a lone surrogate (half of a character), which cannot be stored. Nothing was written.',
    hint: 'Remove the character, or store the value as bytes.',
  },
  VALUE_INVALID: {
    kind: 'usage',
    means: 'The value does not match the schema of its record. It was not written.',
    hint: 'Correct the field that the message names, and try again.',
  },
  RECORD_EXISTS: {
    kind: 'conflict',
    means: 'A record with this key already exists.',
    hint: 'Nothing was changed; choose another key, or update the existing record.',
  },
  UNIQUE_TAKEN: {
    kind: 'conflict',
    means: 'Another record already has this value in a unique index.',
    hint: 'Nothing was changed; choose another value.',
  },
  TRANSACTION_CONFLICT: {
    kind: 'unavailable',
    means: 'The transaction conflicted with others too many times and gave up. Nothing was changed.',
    hint: 'Try again. If the error persists, too many programs are changing the same keys at once.',
  },
  LOG_FULL: {
    kind: 'failed',
    means: 'A counter, for example the number of entries in a log, has reached its maximum.',
    hint: 'Nothing was changed. If the counter belongs to a log, start a new log.',
  },
  LEASE_LOST: {
    kind: 'conflict',
    means: 'Another process has taken over this background work. Nothing was changed.',
    hint: 'No action is needed: the other process continues the work.',
  },
  CURSOR_INVALID: {
    kind: 'usage',
    means: 'The cursor does not belong to this list.',
    hint: 'Start again from the first page.',
  },
  NOT_A_KEYSPACE: {
    kind: 'usage',
    means: 'The database holds tables, not keys.',
    hint: 'Use the `sqlite3` program, or the command of the application that owns the database.',
  },
});
