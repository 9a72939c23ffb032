import { DAY, HOUR, MINUTE, SECOND } from '@holdfast/base';

/** Lines by which known programs report a rate limit. Each pattern matches from the start of a line. */
const known: readonly RegExp[] = [
  /^\W*Claude (?:AI |Code )?usage limit reached/i,
  /^\W*You['’]ve (?:hit|reached) your (?:usage |session |weekly |5-hour )?limit/i,
  /^\W*(?:API )?(?:Error|ERROR)\b.{0,40}\b(?:429|rate[ _-]?limit)/,
  /^\W*(?:Rate limit (?:reached|exceeded)|Too many requests)/i,
  /^\W*litellm\.RateLimitError/,
];

export interface RateLimit {
  readonly line: string;
  /** When the limit ends, in milliseconds since 1970; undefined if the line does not say. */
  readonly until: number | undefined;
}

export function findRateLimit(lines: readonly string[], own: readonly string[], now: number): RateLimit | undefined {
  const patterns = [...own.map((pattern) => new RegExp(pattern)), ...known];
  const line = lines.findLast((text) => patterns.some((pattern) => pattern.test(text)));
  return line === undefined ? undefined : { line, until: resetTime(line, now) };
}

/** A limit that seems to end later than this from now is ignored as implausible. */
const FAR = 8 * DAY;

function resetTime(line: string, now: number): number | undefined {
  const epoch = /\b(1[6-9]\d{8}|2[0-3]\d{8})\b/.exec(line)?.[1];
  const iso = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/.exec(line)?.[0];
  const found = epoch !== undefined ? Number(epoch) * SECOND : iso !== undefined ? Date.parse(iso) : after(line, now);
  return found !== undefined && found > now && found < now + FAR ? found : undefined;
}

/** Reads `try again in 2 hours 5 minutes` or `retry after 30s`. */
function after(line: string, now: number): number | undefined {
  const said =
    /\b(?:in|after)\s+((?:\d+(?:\.\d+)?\s*(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|[dhms])\b[\s,]*(?:and\s+)?)+)/i;
  const text = said.exec(line)?.[1];
  if (text === undefined) return undefined;
  const units = { d: DAY, h: HOUR, m: MINUTE, s: SECOND } as const;
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/gi)) {
    total += Number(count) * units[String(unit).toLowerCase() as keyof typeof units];
  }
  return now + total;
}
