import type { z } from 'zod';

/** The content of a response. A zod schema means JSON; the others are `events`, `bytes` and `nothing`. */
export type ResponseShape = z.ZodType | EventsShape | BytesShape | NothingShape;

export interface EventsShape<Data extends z.ZodType = z.ZodType> {
  readonly carries: 'events';
  readonly data: Data;
}

export interface BytesShape {
  readonly carries: 'bytes';
  readonly type: string;
}

export interface NothingShape {
  readonly carries: 'nothing';
}

/** A stream of server-sent events, each described by `data`. The handler returns `sse(…)`. */
export function events<const Data extends z.ZodType>(data: Data): EventsShape<Data> {
  return { carries: 'events', data };
}

/** Anything that is not JSON: the handler returns a `Response`. */
export function bytes(type: string): BytesShape {
  return { carries: 'bytes', type };
}

/** No body: 204 or a redirect. */
export const nothing: NothingShape = { carries: 'nothing' };

export function isSchema(shape: ResponseShape): shape is z.ZodType {
  return '_zod' in shape;
}

/** A request body that is not JSON, passed to the handler as a limited stream. */
export interface UploadShape {
  readonly types: readonly string[];
  readonly limitBytes: number;
}
