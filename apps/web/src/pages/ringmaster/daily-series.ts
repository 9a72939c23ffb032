import type { DayMetrics } from '../../api/types.ts';

interface Series {
  /** Unix times in seconds, one per day. */
  readonly times: readonly number[];
  readonly done: readonly number[];
  readonly success: readonly number[];
  readonly cost: readonly number[];
}

const DAY_MS = 86_400_000;
const DAYS_MIN = 14;
const DAYS_MAX = 90;

/** Adds days without results and covers at least two weeks, so that a chart never shows a single day. */
export function everyDay(days: readonly DayMetrics[]): Series {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const last = Date.parse(days.at(-1)?.day ?? '1970-01-01');
  const first = Date.parse(days[0]?.day ?? '1970-01-01');
  const length = Math.min(DAYS_MAX, Math.max(DAYS_MIN, (last - first) / DAY_MS + 1));
  const times = Array.from({ length }, (_, at) => (last - (length - 1 - at) * DAY_MS) / 1_000);
  const found = times.map((seconds) => byDay.get(new Date(seconds * 1_000).toISOString().slice(0, 10)));
  return {
    times,
    done: found.map((day) => day?.succeeded ?? 0),
    success: found.map((day) => shareOf(day)),
    cost: found.map((day) => day?.cost_usd ?? 0),
  };
}

function shareOf(day: DayMetrics | undefined): number {
  const ended = (day?.succeeded ?? 0) + (day?.failed ?? 0);
  return ended === 0 ? 0 : (day?.succeeded ?? 0) / ended;
}
