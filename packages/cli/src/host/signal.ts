/** SIGINT and SIGTERM for commands that clean up before they end. */

const WATCHED = ['SIGINT', 'SIGTERM'] as const;

export interface Interruption {
  /** Reading this property starts watching; until then, the signals kill the process, as they do by default. */
  readonly signal: AbortSignal;
  readonly received: NodeJS.Signals | undefined;
  readonly stopWatching: () => void;
}

export function watchInterruption(): Interruption {
  let controller: AbortController | undefined;
  let received: NodeJS.Signals | undefined;
  const interrupt = (name: NodeJS.Signals): void => {
    received = name;
    // From now on, a second signal kills the process, so that a command that hangs during cleanup does not need `kill
    // -9`.
    stopWatching();
    controller?.abort(new DOMException(`interrupted by ${name}`, 'AbortError'));
  };
  const stopWatching = (): void => {
    if (controller === undefined) return;
    for (const name of WATCHED) process.off(name, interrupt);
  };
  return {
    get signal() {
      if (controller === undefined) {
        controller = new AbortController();
        for (const name of WATCHED) process.on(name, interrupt);
      }
      return controller.signal;
    },
    get received() {
      return received;
    },
    stopWatching,
  };
}

/** Ends this process with the signal that it received, so a shell or supervisor sees the real cause. */
export function dieBySignal(name: NodeJS.Signals): void {
  process.kill(process.pid, name);
}
