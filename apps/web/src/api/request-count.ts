const COUNTER = /^holdfast_http_request_duration_seconds_count\{[^\n]*\} (\d+)/gm;

/** How many requests the server has answered since it started, from its figures for Prometheus. */
export async function requestCount(signal: AbortSignal): Promise<number> {
  const response = await fetch('/metrics', { signal });
  if (!response.ok) return 0;
  const text = await response.text();
  return [...text.matchAll(COUNTER)].reduce((sum, [, value]) => sum + Number(value), 0);
}
