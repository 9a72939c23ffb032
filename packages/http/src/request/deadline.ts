/** Rejects after the timeout. The work continues unless it listens to its signal; its late result is ignored. */
export async function beforeDeadline<T>(work: Promise<T>, timeoutMs: number, onLate: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onLate()), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
