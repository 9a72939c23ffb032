/**
 * Never runs `run` twice at once. Calls during a run cause exactly one more run after it, so that many changes neither
 * delay the first run nor leave the last change unread.
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
