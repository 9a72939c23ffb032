import { useEffect, useState } from 'react';

import { readLog } from '../../../api/audiobooks-queries.ts';
import type { LogLine } from '../../../api/audiobooks-types.ts';

const LIVE_MS = 700;

interface Log {
  readonly lines: readonly LogLine[];
  /** Whether the server was asked to the end of it once. */
  readonly isRead: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

/** All that was written, and what is written meanwhile; it is read once more after the operation has ended. */
export function useLog(id: string, isLive: boolean): Log {
  const [lines, setLines] = useState<readonly LogLine[]>([]);
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
    // oxlint-disable-next-line react/exhaustive-deps -- where it goes on is known by itself; only these begin it anew
  }, [id, isLive, tries]);
  return {
    lines,
    isRead,
    error,
    retry() {
      setError(undefined);
      setTries(tries + 1);
    },
  };
}
