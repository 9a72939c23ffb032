import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { infoQuery } from '../../api/queries.ts';
import type { SystemInfo } from '../../api/types.ts';

export interface Samples {
  readonly times: readonly number[];
  readonly memory: readonly number[];
  /** Share of one core. */
  readonly cpu: readonly number[];
  readonly requests: readonly number[];
}

const KEPT = 300;
const none: Samples = { times: [], memory: [], cpu: [], requests: [] };

type Reading = SystemInfo & { readonly requests: number; readonly at: number };

/** Samples of the process while this page is open; rates need two of them. */
export function useSamples(): { readonly info: SystemInfo | undefined; readonly samples: Samples } {
  const { data } = useQuery(infoQuery);
  const [state, setState] = useState<{ readonly last: Reading | undefined; readonly samples: Samples }>({
    last: undefined,
    samples: none,
  });
  useEffect(() => {
    if (data === undefined) return;
    setState(({ last, samples }) => ({
      last: data,
      samples: last === undefined ? samples : added(samples, last, data),
    }));
  }, [data]);
  return { info: data, samples: state.samples };
}

function added(samples: Samples, last: Reading, next: Reading): Samples {
  const seconds = (next.at - last.at) / 1_000;
  // A restarted server counts from zero.
  const isSame = next.uptime_seconds >= last.uptime_seconds && seconds > 0;
  if (!isSame) return samples;
  return {
    times: append(samples.times, next.at / 1_000),
    memory: append(samples.memory, next.memory_bytes),
    cpu: append(samples.cpu, Math.max(0, (next.cpu_seconds - last.cpu_seconds) / seconds)),
    requests: append(samples.requests, Math.max(0, (next.requests - last.requests) / seconds)),
  };
}

function append(values: readonly number[], value: number): readonly number[] {
  return [...values, value].slice(-KEPT);
}
