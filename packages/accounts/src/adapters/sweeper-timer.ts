export interface SweeperTimer {
  /** Stops the timer and waits for a running sweep. */
  stop(): Promise<void>;
}

/** Calls `sweep` periodically, one call at a time, without keeping the process alive. */
export function startTimer(
  sweep: () => Promise<unknown>,
  everyMs: number,
  onError: (error: unknown) => void,
): SweeperTimer {
  let running: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    running ??= sweep()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
