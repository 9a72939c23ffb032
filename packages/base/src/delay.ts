/**
 * Resolves after the delay or when aborted, without an error either way. With `keepsAlive` false the process may end
 * before: for delays that only bound how long something else is waited for.
 */
export function delay(milliseconds: number, signal?: AbortSignal, keepsAlive = true): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (!keepsAlive) timer.unref();
    signal?.addEventListener('abort', end);
  });
}
