/** One format everywhere: UTC with milliseconds, so that text order is time order. */
export function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Any RFC 3339 moment, with nanoseconds and offset, in our format; undefined when it is none. */
export function normalTime(text: string): string | undefined {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? undefined : timeText(milliseconds);
}
