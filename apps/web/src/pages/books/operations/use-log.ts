import { useEffect, useMemo, useState } from 'react';

import { readLog } from '../../../api/audiobooks-queries.ts';
import type { OperationLine } from '../../../api/types.ts';
import type { LogLine } from '../../../ui/log/log-view.tsx';

const LIVE_MS = 700;

interface Log {
  readonly lines: readonly LogLine[];
  /** Whether the log was read to its end once. */
  readonly isRead: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Reads a log and polls it while the operation runs, then once more after it has ended. */
export function useLog(id: string, isLive: boolean): Log {
  const [lines, setLines] = useState<readonly OperationLine[]>([]);
  const [isRead, setRead] = useState(false);
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  const after = lines.at(-1)?.seq ?? 0;
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = after;
    const read = async (): Promise<void> => {
      try {
        const found = await readLog(id, last, stop.signal);
        last = found.at(-1)?.seq ?? last;
        if (found.length > 0)
          setLines((known) => [...known, ...found.filter(({ seq }) => seq > (known.at(-1)?.seq ?? 0))]);
        else setRead(true);
        if (found.length > 0 || isLive) timer = setTimeout(() => void read(), found.length > 0 ? 0 : LIVE_MS);
      } catch (thrown) {
        if (!stop.signal.aborted) setError(thrown);
      }
    };
    void read();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `after` is only where reading resumes
  }, [id, isLive, tries]);
  return {
    lines: useMemo(
      () => lines.map(({ message, timestamp, level }) => ({ text: message, at: timestamp, level })),
      [lines],
    ),
    isRead,
    error,
    retry() {
      setError(undefined);
      setTries(tries + 1);
    },
  };
}
