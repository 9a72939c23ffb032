import { counter, log, record, type Schema, type StandardSchema } from '@holdfast/keyspace';

/** What the writers of the campaign `store` write: every transaction touches all of these. */

export interface Order {
  readonly id: string;
  readonly writer: string;
  /** Whether it also counted in the one record that all writers want to change. */
  readonly contended: boolean;
  readonly padding: string;
}

/** Anything goes: what is checked here is that it is all there, not what it looks like. */
function any<T>(): StandardSchema<T> {
  return { '~standard': { version: 1, vendor: 'holdfast-crash', validate: (value) => ({ value: value as T }) } };
}

export const orders = record('order/{id}', any<Order>(), { indexes: { writer: 'by/writer/{writer}/{id}' } });
export const contested = record('contested', any<{ readonly count: number }>());
export const entries = log('entry/{seq}', any<{ readonly id: string }>(), { counter: 'lastlog' });
export const total = counter('total');

export const storeSchema: Schema = { orders, contested, entries, total };
