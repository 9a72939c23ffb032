import type { AnyOperation } from '@holdfast/operation';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Operation that the tool is bound to; read by the test of all operations. */
  readonly operation?: AnyOperation;
  /** Returns text for the model. Errors become error results. */
  readonly call: (input: Readonly<Record<string, unknown>>) => Promise<string>;
}

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
}
