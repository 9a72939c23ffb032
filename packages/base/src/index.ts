export { isBlank } from './blank.ts';
export {
  createFileDurablySync,
  syncFile,
  syncFileSync,
  syncFolder,
  syncFolderSync,
  writeFileDurably,
  writeFileDurablySync,
} from './durable-file.ts';
export { closest, typingMistakes } from './closest.ts';
export {
  exitCodeByKind,
  HoldfastError,
  defineErrors,
  isHoldfastError,
  permissionErrors,
  schemaErrors,
} from './errors.ts';
export type { ErrorFactory, ErrorKind } from './errors.ts';
export { failpoint } from './failpoint.ts';
export { follow } from './follow.ts';
export { holdfastHome, homeErrors, rememberStore, storeAddress } from './home.ts';
export { Limiter, SerialQueue, SerialQueues } from './limiter.ts';
export { LogThrottle } from './log-throttle.ts';
export { markdownOutline } from './markdown-outline.ts';
export { HeldLease, isLeaseFree, type Renewal } from './lease.ts';
export { openBeneath, type OpenedFolder, openFolder, openFolderBeneath } from './open-beneath.ts';
export { type Page, readPage, readPageByOffset } from './pagination.ts';
export { identityOf, isAlive, isGroupAlive, isWorking, type ProcessIdentity } from './process-identity.ts';
export { readJson } from './read-json.ts';
export {
  parseStoredList,
  parseStoredObject,
  sameStored,
  type ShownValue,
  shownValue,
  type StoredValue,
} from './stored-value.ts';
export { systemErrorCode } from './system-error.ts';
export { type LineOf, readTomlFile, textIfThere } from './toml-file.ts';
export { TextIndex, titleScore } from './text-index.ts';
export { isUlid, type UlidSource, ulidSource } from './ulid.ts';
export {
  awakeClock,
  type Clock,
  DAY,
  delay,
  EARLIEST_NOW,
  HOUR,
  KIBIBYTE,
  MEBIBYTE,
  MINUTE,
  monotonicClock,
  SECOND,
  systemClock,
  toTimestamp,
} from './time.ts';
export { isWithin, sensitiveFolder } from './sensitive-folder.ts';
export { VERSION } from './version.ts';
