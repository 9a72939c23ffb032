import { counter, log, record, type Schema, type StandardSchema } from '@holdfast/keyspace';

/** Data of the campaign `store`: every transaction touches all of it. */

export interface Order {
  readonly id: string;
  readonly writer: string;
  /** Whether it also changed the record that all writers share. */
  readonly contended: boolean;
  readonly padding: string;
}

/** Accepts anything: the campaign checks presence, not content. */
function any<T>(): StandardSchema<T> {
  return { '~standard': { version: 1, vendor: 'holdfast-crash', validate: (value) => ({ value: value as T }) } };
}

export const orders = record('order/{id}', any<Order>(), { indexes: { writer: 'by/writer/{writer}/{id}' } });
export const contested = record('contested', any<{ readonly count: number }>());
export const entries = log('entry/{seq}', any<{ readonly id: string }>(), { counter: 'lastlog' });
export const total = counter('total');

export const storeSchema: Schema = { orders, contested, entries, total };
