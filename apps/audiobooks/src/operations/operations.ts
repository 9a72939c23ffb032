import { choice, integer, object, optional, pageFields, pageOf, text, time, withDefault } from '@holdfast/operation';
import { LOG_LEVELS, OPERATION_TYPES } from '../model/choices.ts';
import { audiobookErrors } from '../model/errors.ts';
import { defineOperation, MANAGE, operationView } from './fields.ts';

/** Lists, shows, cancels and undoes the operations on a library: scans, merges, imports and edits. */

const { OPERATION_NOT_FOUND } = audiobookErrors;
const operationField = text('Operation id', { min: 1, max: 64, label: 'operation' });
const byPerson = { mcp: 'Only people manage operations' } as const;

export const operationFilters = {
  type: optional(choice(OPERATION_TYPES, 'Only operations of this type')),
  ...pageFields,
} as const;

export const listOperations = defineOperation({
  name: 'operation.list',
  summary: 'List operations, newest first',
  permission: MANAGE,
  input: operationFilters,
  output: pageOf(operationView),
  run: async () => (await import('../service/handlers/operations.ts')).listOperations,
});

export const showOperation = defineOperation({
  name: 'operation.show',
  summary: 'Show an operation',
  permission: MANAGE,
  input: { operation: operationField },
  output: operationView,
  errors: [OPERATION_NOT_FOUND],
  absent: { mcp: 'operation.list shows the same fields' },
  run: async () => (await import('../service/handlers/operations.ts')).showOperation,
});

const logLine = object({ seq: integer(), timestamp: time(), level: choice(LOG_LEVELS), message: text() });

export const operationLog = defineOperation({
  name: 'operation.log',
  summary: 'Show the log of an operation',
  permission: MANAGE,
  input: {
    operation: operationField,
    after: withDefault(integer('Only lines after this number', { min: 0, label: 'seq' }), 0),
    limit: pageFields.limit,
  },
  output: pageOf(logLine),
  errors: [OPERATION_NOT_FOUND],
  absent: byPerson,
  run: async () => (await import('../service/handlers/operations.ts')).operationLog,
});

export const cancelOperation = defineOperation({
  name: 'operation.cancel',
  summary: 'Cancel a running operation; unfinished steps are undone',
  permission: MANAGE,
  input: { operation: operationField },
  output: operationView,
  errors: [OPERATION_NOT_FOUND, audiobookErrors.OPERATION_FINISHED],
  absent: byPerson,
  run: async () => (await import('../service/handlers/operations.ts')).cancelOperation,
});

export const undoOperation = defineOperation({
  name: 'operation.undo',
  summary: 'Undo an operation: restore the previous files, paths and field values',
  permission: MANAGE,
  input: { operation: operationField },
  output: operationView,
  errors: [
    OPERATION_NOT_FOUND,
    audiobookErrors.NOT_UNDOABLE,
    audiobookErrors.UNDO_CONFLICT,
    audiobookErrors.OPERATION_RUNNING,
  ],
  absent: byPerson,
  run: async () => (await import('../service/handlers/files.ts')).undo,
});
