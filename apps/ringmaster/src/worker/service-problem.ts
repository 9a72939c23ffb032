import { DAY, HOUR, MINUTE, SECOND } from '@holdfast/base';

import type { ParkKind } from '../model/attempt.ts';

/** Problems that stop an agent from working on any task. */
export type ServiceProblemKind = Exclude<ParkKind, 'not_started' | 'missing'>;

export interface ServiceProblem {
  readonly kind: ServiceProblemKind;
  /** The line of output that reports the problem. */
  readonly line: string;
  /** Time at which the problem ends, in milliseconds since 1970, if the line contains it. */
  readonly until: number | undefined;
}

/**
 * Matches a line that reports an HTTP status of the agent's own service. After a plain "Error" the status must follow
 * immediately: `Error: expected 200, got 500` is a failing test in the project.
 */
function statusLine(statuses: string): RegExp {
  const opening = String.raw`(?:(?:API|stream) error\b.*|exceeded retry limit.*|error\W+(?:(?:code|http|status)\W+)*)`;
  return new RegExp(String.raw`^\W*${opening}\b(?:${statuses})\b`, 'i');
}

/**
 * Patterns of lines in which known agents and services report a problem. Most match only at the start of a line, so
 * that text about rate limits or logins does not match.
 */
const known: readonly (readonly [ServiceProblemKind, RegExp])[] = [
  ['no_credit', /^\W*(?:(?:API )?Error\b.*)?(?:your )?credit balance is too low/i],
  [
    'no_credit',
    /^\W*(?:(?:API )?Error\b.*)?(?:you exceeded your current quota|insufficient (?:credits|funds|balance))/i,
  ],
  ['no_credit', /\binsufficient_quota\b/],
  [
    'logged_out',
    /^\W*(?:Error:\W*)?(?:not logged in|invalid api key|not authenticated|authentication (?:required|failed))/i,
  ],
  ['logged_out', /^\W*(?:OAuth token (?:has expired|revoked)|Please set an auth method|You must be logged in)/i],
  ['logged_out', /\bplease run\W+(?:\/login|(?:claude|codex|agent|cursor-agent|gemini|opencode)(?: auth)? login)\b/i],
  ['logged_out', statusLine('401')],
  ['logged_out', /^\W*litellm\.AuthenticationError/],
  ['rate_limited', /^\W*Claude (?:AI |Code )?usage limit reached/i],
  ['rate_limited', /^\W*You['’]ve (?:hit|reached) your\b.{0,30}\blimit/i],
  ['rate_limited', /^\W*(?:(?:5-hour|session|weekly|usage|rate) )?limit (?:reached|exceeded)/i],
  ['rate_limited', statusLine('429')],
  ['rate_limited', /^\W*(?:(?:API |stream )?error\b.*|exceeded retry limit.*)\brate[ _-]?limit/i],
  ['rate_limited', /^\W*(?:Too many requests|Quota exceeded|You have exhausted your (?:capacity|daily quota))/i],
  ['rate_limited', /\b(?:RESOURCE_EXHAUSTED|usage_limit_reached|rate_limit_error)\b/],
  ['rate_limited', /^\W*litellm\.RateLimitError/],
  ['overloaded', statusLine('529|50[0-4]')],
  ['overloaded', /\boverloaded_error\b|^\W*(?:the )?(?:model|service|server) is (?:currently )?overloaded/i],
  ['overloaded', /^\W*(?:Overloaded\b|litellm\.(?:ServiceUnavailable|InternalServer)Error)/],
  ['unreachable', /^\W*API Error\b.*\b(?:unable to connect|connection error|request timed out)/i],
  ['unreachable', /^\W*(?:Reconnecting\W+waiting for network|stream disconnected before completion)\b/i],
  [
    'unreachable',
    /^\W*(?:Cannot connect to API|ConnectError: \[unavailable\]|litellm\.(?:APIConnectionError|Timeout))/,
  ],
  ['unreachable', /\bexception TypeError: fetch failed sending request\b/],
];

const byStatus: Readonly<Record<number, ServiceProblemKind>> = {
  401: 'logged_out',
  402: 'no_credit',
  429: 'rate_limited',
  500: 'overloaded',
  502: 'overloaded',
  503: 'overloaded',
  504: 'overloaded',
  529: 'overloaded',
};

export interface ServiceReport {
  readonly lines: readonly string[];
  /** HTTP status that the agent reported. */
  readonly apiStatus: number | null;
  /** Configured patterns of lines that report a rate limit. */
  readonly patterns: readonly string[];
  readonly now: number;
}

export function findServiceProblem({ lines, apiStatus, patterns, now }: ServiceReport): ServiceProblem | undefined {
  const own = patterns.map((pattern) => ['rate_limited', new RegExp(pattern)] as const);
  for (const line of lines.toReversed()) {
    const found = [...own, ...known].find(([, pattern]) => pattern.test(line));
    if (found !== undefined) return { kind: found[0], line, until: resetTime(line, now) };
  }
  const kind = byStatus[apiStatus ?? 0];
  const line = lines.findLast((text) => text.trim() !== '') ?? `The service answered with status ${apiStatus}`;
  return kind === undefined ? undefined : { kind, line, until: resetTime(line, now) };
}

/** Later times are not plausible. */
const FAR = 8 * DAY;

/** Returns the time at which a limit ends, in milliseconds since 1970, if the line contains it. */
export function resetTime(line: string, now: number): number | undefined {
  const epoch = /\b(1[6-9]\d{8}|2[0-3]\d{8})\b/.exec(line)?.[1];
  const iso = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/.exec(line)?.[0];
  const found =
    epoch !== undefined
      ? Number(epoch) * SECOND
      : iso !== undefined
        ? Date.parse(iso)
        : (after(line, now) ?? atClockTime(line, now));
  return found !== undefined && found > now && found < now + FAR ? found : undefined;
}

/** Reads `try again in 2 hours 5 minutes`, `retry after 30s`, `reset after 2h31m`. */
function after(line: string, now: number): number | undefined {
  const unit = String.raw`\s*(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|[dhms])(?![a-z])`;
  const said = new RegExp(String.raw`\b(?:in|after)\s+((?:\d+(?:\.\d+)?${unit}[\s,]*(?:and\s+)?)+)`, 'i');
  const text = said.exec(line)?.[1];
  if (text === undefined) return undefined;
  const units = { d: DAY, h: HOUR, m: MINUTE, s: SECOND } as const;
  let total = 0;
  for (const [, count, letter] of text.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/gi)) {
    total += Number(count) * units[String(letter).toLowerCase() as keyof typeof units];
  }
  return now + total;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `resets 3pm`, `resets 3:50pm (Asia/Tokyo)`, `resets May 5 at 9pm (America/New_York)`, `try again at 12:16 PM`. */
function atClockTime(line: string, now: number): number | undefined {
  const said =
    /\b(?:resets?|again)\s+(?:at\s+)?(?:([a-z]{3})[a-z]*\s+(\d{1,2}),?\s+(?:at\s+)?)?(\d{1,2})(?::(\d\d))?\s*([ap]m)?\b(?:\s*\(([\w/+-]+)\))?/i;
  const [, month, day, hour, minute, half, zone] = said.exec(line) ?? [];
  if (hour === undefined || (half === undefined && minute === undefined)) return undefined;
  const offset = zoneOffset(zone, now);
  const wall = new Date(now + offset);
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  wall.setUTCHours(hours, Number(minute ?? 0), 0, 0);
  if (month !== undefined) wall.setUTCMonth(months.indexOf(month.toLowerCase()), Number(day));
  const time = wall.getTime() - offset;
  return time <= now && month === undefined ? time + DAY : time;
}

/** Returns the offset of a time zone from UTC in milliseconds; by default, of this machine's zone. */
function zoneOffset(zone: string | undefined, at: number): number {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const format = (timeZone: string | undefined) =>
    new Intl.DateTimeFormat('en-US', { ...fields, timeZone, hourCycle: 'h23' });
  let parts: Intl.DateTimeFormatPart[];
  try {
    parts = format(zone).formatToParts(at);
  } catch {
    parts = format(undefined).formatToParts(at);
  }
  const value = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(value('year'), value('month') - 1, value('day'), value('hour'), value('minute'));
  return wall - Math.floor(at / MINUTE) * MINUTE;
}
