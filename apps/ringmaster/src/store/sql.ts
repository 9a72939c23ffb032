export type { SqlValue } from '@holdfast/sqlite';
