export { HoldfastError, defineErrors, isHoldfastError } from './errors.ts';
export type { ErrorDefinition, ErrorFactory, ErrorKind, ErrorOptions, ErrorTable } from './errors.ts';
export { failpoint } from './failpoint.ts';
export { DAY, HOUR, KIBIBYTE, MEBIBYTE, MINUTE, SECOND } from './units.ts';
