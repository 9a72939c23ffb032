export interface SweeperTimer {
  /** Stops the timer and waits for a sweep that is under way. */
  stop(): Promise<void>;
}

/** Calls `sweep` now and then, one call at a time. It keeps no process alive. */
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
