import type { ReplyExtras } from './contract.ts';

export interface Reply<Status extends number, Body> extends ReplyExtras {
  readonly status: Status;
  readonly body: Body;
}

export function reply<const Status extends number, const Body>(
  status: Status,
  body: Body,
  extras: ReplyExtras = {},
): Reply<Status, Body> {
  return { ...extras, status, body };
}

export function ok<const Body>(body: Body, extras?: ReplyExtras): Reply<200, Body> {
  return reply(200, body, extras);
}

/** `location` is the address of the new resource. */
export function created<const Body>(body: Body, location: string, extras: ReplyExtras = {}): Reply<201, Body> {
  return reply(201, body, { ...extras, headers: { ...extras.headers, location } });
}

/** For work that continues after the answer. */
export function accepted<const Body>(body: Body, extras?: ReplyExtras): Reply<202, Body> {
  return reply(202, body, extras);
}

export function noContent(extras: ReplyExtras = {}): ReplyExtras & { readonly status: 204 } {
  return { ...extras, status: 204 };
}
