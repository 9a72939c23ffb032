import { utaskErrors } from '../../model/errors.ts';

const CONFLICT_CODES: ReadonlySet<unknown> = new Set([10_071, 10_164]);
const STREAM_NOT_FOUND = 10_059;
const NO_MESSAGE_FOUND = 10_037;
/** The request may have arrived and its answer be lost. */
const LOST_NAMES: ReadonlySet<string> = new Set([
  'TimeoutError',
  'RequestError',
  'ConnectionError',
  'ClosedConnectionError',
  'DrainingConnectionError',
]);
const NO_JETSTREAM_NAMES: ReadonlySet<string> = new Set(['NoRespondersError', 'JetStreamNotEnabled']);

export function isConflict(error: unknown): boolean {
  return CONFLICT_CODES.has(codeOf(error));
}

export function isStreamMissing(error: unknown): boolean {
  return codeOf(error) === STREAM_NOT_FOUND || nameOf(error) === 'StreamNotFoundError';
}

export function isNoMessage(error: unknown): boolean {
  return codeOf(error) === NO_MESSAGE_FOUND;
}

/** Returns whether a retry may help: the answer was lost, or no server was reachable. */
export function isTransient(error: unknown): boolean {
  return LOST_NAMES.has(nameOf(error)) || hasNoJetStream(error);
}

/** The server runs without JetStream, for example because it is just starting. Nothing was changed. */
export function hasNoJetStream(error: unknown): boolean {
  return NO_JETSTREAM_NAMES.has(nameOf(error)) || NO_JETSTREAM_NAMES.has(nameOf(causeOf(error)));
}

export function toUtaskError(error: unknown, where: string): Error {
  const message = error instanceof Error ? error.message : String(error);
  if (hasNoJetStream(error)) return utaskErrors.NATS_REFUSED(`${where} has no JetStream.`, { cause: error });
  if (isTransient(error)) return utaskErrors.NATS_UNREACHABLE(`${where} does not answer: ${message}`, { cause: error });
  return utaskErrors.NATS_REFUSED(`${where}: ${message}`, { cause: error });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}

function causeOf(error: unknown): unknown {
  return (error as { readonly cause?: unknown } | undefined)?.cause;
}
