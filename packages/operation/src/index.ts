/**
 * Operations as data, defined once for every face.
 *
 * @module
 */
export { check } from './check.ts';
export { operationErrors } from './errors.ts';
export {
  bareField,
  boolean,
  choice,
  type Field,
  type Fields,
  flag,
  type GivenObject,
  integer,
  json,
  list,
  nullable,
  number,
  object,
  type ObjectField,
  type ObjectValue,
  optional,
  optionalList,
  pageFields,
  pageOf,
  record,
  summaryOf,
  text,
  time,
  union,
  type ValueOf,
  withDefault,
} from './fields.ts';
export { jsonSchema } from './json-schema.ts';
export {
  type AnyOperation,
  type Caller,
  type Face,
  type Operation,
  operationsOf,
  type OutputOf,
  inputOf,
  outputOf,
  type Permission,
  runOperation,
} from './operation.ts';
export {
  type ActivityItem,
  activityObject,
  type AttentionItem,
  attentionObject,
  type Demo,
  type FindRequest,
  type FoundItem,
  foundObject,
  type OpenedOverview,
  type Overview,
} from './overview.ts';
export { schema, type Schema } from './schema.ts';
