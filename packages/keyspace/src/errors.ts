import { defineErrors } from '@holdfast/base';

export const keyspaceErrors = defineErrors({
  KEY_INVALID: {
    kind: 'usage',
    means: 'A key was built from a value of the wrong kind, or from leading parts with a gap.',
    hint: 'Give every part of the key that the template names, from the left, in its kind.',
  },
  KEY_TOO_LONG: {
    kind: 'usage',
    means: 'A key has more than 1,024 bytes. Nothing was written.',
    hint: 'Shorten the parts of the key.',
  },
  VALUE_TOO_LARGE: {
    kind: 'usage',
    means: 'A value has more than 16 MiB. Nothing was written.',
    hint: 'Keep large content in a file and store its address.',
  },
  COMMIT_TOO_LARGE: {
    kind: 'usage',
    means: 'One transaction writes more than 64 MiB. Nothing was written.',
    hint: 'Split the work into several transactions.',
  },
  TEXT_NOT_STORABLE: {
    kind: 'usage',
    means:
      'Text has a NUL character or half of a character (a lone surrogate), which cannot be stored. Nothing was written.',
    hint: 'Remove the character, or store the value as bytes.',
  },
  VALUE_INVALID: {
    kind: 'usage',
    means: 'A value does not fit the schema of its record and was not written.',
    hint: 'The message names the field; correct it and repeat.',
  },
  VALUE_UNREADABLE: {
    kind: 'failed',
    means: 'A stored value does not fit the schema of its record: it was damaged, or written by something else.',
    hint: 'Run `holdfast verify --repair` on this database: it restores the value from the journal, or sets it aside.',
  },
  RECORD_EXISTS: {
    kind: 'conflict',
    means: 'A record was to be created under a key that is taken.',
    hint: 'Nothing was changed; choose another key, or update the record.',
  },
  UNIQUE_TAKEN: {
    kind: 'conflict',
    means: 'Another record already has this value in a unique index.',
    hint: 'Nothing was changed; choose another value.',
  },
  TRANSACTION_CONFLICT: {
    kind: 'unavailable',
    means: 'A transaction lost against others so often that it gave up. Nothing was changed.',
    hint: 'Try again; if it persists, too many programs change the same keys at once.',
  },
  LOG_FULL: {
    kind: 'failed',
    means: 'A counter would leave the range of numbers that it can hold.',
    hint: 'Nothing was changed. Start a new log.',
  },
  CURSOR_INVALID: {
    kind: 'usage',
    means: 'A cursor does not belong to this list.',
    hint: 'Start again from the first page.',
  },
  NOT_A_KEYSPACE: {
    kind: 'usage',
    means: 'The database holds tables, not keys.',
    hint: 'Use the `sqlite3` program, or the command of the application that owns it.',
  },
});
