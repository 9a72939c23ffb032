/**
 * Reads again, and once more if it was asked for meanwhile: a source that never rests must neither cancel every reading
 * before it is done, nor leave the last change unread.
 */
export function refresher(read: () => Promise<unknown>): () => void {
  let isReading = false;
  let isWanted = false;
  const run = async (): Promise<void> => {
    isReading = true;
    try {
      while (isWanted) {
        isWanted = false;
        await read();
      }
    } finally {
      isReading = false;
    }
  };
  return () => {
    isWanted = true;
    if (!isReading) void run();
  };
}
