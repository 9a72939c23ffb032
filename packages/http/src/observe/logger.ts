import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/** Fields that are removed from every log line. In addition, only selected fields of a request are logged. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'passphrase',
  'secret',
  'token',
  'session',
  'body',
  'query',
  'headers',
] as const;

const redact = SECRET_FIELDS.flatMap((field) => {
  const step = field.includes('-') ? `["${field}"]` : `.${field}`;
  return [step.replace(/^\./, ''), `*${step}`, `*.*${step}`];
});

export interface LoggerOptions {
  readonly level?: string;
  /** Defaults to standard error: standard output is for data. */
  readonly destination?: DestinationStream;
}

export function createLogger({ level = 'info', destination }: LoggerOptions = {}): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redact, censor: '[redacted]' },
      serializers: { err: errorFields },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
}

const CAUSES_MAX = 5;

/**
 * Returns type, code, message and stack of an error and its causes. Leaves out all other fields, which may hold
 * secrets.
 */
function errorFields(error: unknown, depth: number = 0): unknown {
  if (!(error instanceof Error)) return { message: withoutSecrets(String(error)) };
  const { cause } = error;
  return {
    type: error.name,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    message: withoutSecrets(error.message),
    stack: withoutSecrets(error.stack ?? ''),
    ...(cause !== undefined && depth < CAUSES_MAX && { cause: errorFields(cause, depth + 1) }),
  };
}

/** Removes credentials and cookies, because messages from other programs may quote them. */
function withoutSecrets(text: string): string {
  return text
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [redacted]')
    .replace(/\b((?:set-)?cookie|authorization):\s*[^\n]*/gi, '$1: [redacted]');
}
