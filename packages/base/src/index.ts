export { HoldfastError, defineErrors, isHoldfastError } from './errors.ts';
export type { ErrorDefinition, ErrorFactory, ErrorKind, ErrorOptions, ErrorTable } from './errors.ts';
export { failpoint } from './failpoint.ts';
export { follow, type FollowSource, type Numbered } from './follow.ts';
export { holdfastHome } from './home.ts';
export { schemaErrors } from './schema-errors.ts';
export { sameStored, type StoredValue } from './stored-value.ts';
export { DAY, HOUR, KIBIBYTE, MEBIBYTE, MINUTE, SECOND } from './units.ts';
