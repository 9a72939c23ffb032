/**
 * Resolves after the delay or when aborted, never with an error. With `keepsAlive` false the process may exit earlier:
 * for delays that only bound another wait.
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
