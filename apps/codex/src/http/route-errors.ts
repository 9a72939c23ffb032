import { codexErrors } from '../model/errors.ts';

/** What every route that puts something into the queue may answer, also because of what happens at its turn. */
export const queueErrors = [
  codexErrors.NOTEBOOK_NOT_FOUND,
  codexErrors.NOTEBOOK_CLOSING,
  codexErrors.FILE_NOT_FOUND,
  codexErrors.PATH_INVALID,
  codexErrors.PATH_LINK,
  codexErrors.QUEUE_FULL,
  codexErrors.IDEMPOTENCY_MISMATCH,
  codexErrors.NOTEBOOK_AWAY,
  codexErrors.DISK_AWAY,
  codexErrors.OTHER_DISK,
  codexErrors.DISK_FULL,
  codexErrors.EVENT_FAILED,
] as const;

/** What a read may answer that is to come after an event. */
export const afterErrors = [codexErrors.EVENT_NOT_FOUND, codexErrors.WAIT_TIMEOUT] as const;
