import { queryClient } from '../api/query-client.ts';
import { coalesce } from './coalesce.ts';

const refreshers = new Map<string, () => void>();

/**
 * Refetches the queries whose key starts with `queryKey`. Runs one refetch per `queryKey` at a time, so that slow
 * requests do not pile up.
 */
export function refreshQueries(...queryKey: readonly string[]): void {
  const name = queryKey.join(' ');
  const refresh = refreshers.get(name) ?? coalesce(() => queryClient.invalidateQueries({ queryKey }));
  refreshers.set(name, refresh);
  refresh();
}
