/**
 * Runs `run` one at a time. Calls during a run cause exactly one more run after it, so that a busy source neither starves
 * the first run nor leaves the last change unread.
 */
export function coalesce(run: () => Promise<unknown>): () => void {
  let isRunning = false;
  let isWanted = false;
  const loop = async (): Promise<void> => {
    isRunning = true;
    try {
      while (isWanted) {
        isWanted = false;
        await run();
      }
    } finally {
      isRunning = false;
    }
  };
  return () => {
    isWanted = true;
    if (!isRunning) void loop();
  };
}
