import type { AnyOperation } from '@holdfast/operation';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The operation that the tool is bound to; the test of all operations reads it. */
  readonly operation?: AnyOperation;
  /** Text for the model. What it throws becomes an answer that says so. */
  readonly call: (input: Readonly<Record<string, unknown>>) => Promise<string>;
}

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
}
