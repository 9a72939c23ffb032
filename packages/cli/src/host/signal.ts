/** SIGINT and SIGTERM, for a command that wants to put things in order before it ends. */

const WATCHED = ['SIGINT', 'SIGTERM'] as const;

export interface Interruption {
  /** Reading it starts the watching: until then the signals kill the process, as they do by default. */
  readonly signal: AbortSignal;
  /** Which one arrived, if one did. */
  readonly received: NodeJS.Signals | undefined;
  readonly stopWatching: () => void;
}

export function watchInterruption(): Interruption {
  let controller: AbortController | undefined;
  let received: NodeJS.Signals | undefined;
  const interrupt = (name: NodeJS.Signals): void => {
    received = name;
    // From here on a second signal kills: nobody should need to look up `kill -9` to leave a command.
    stopWatching();
    controller?.abort(new DOMException(`interrupted by ${name}`, 'AbortError'));
  };
  const stopWatching = (): void => {
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

/** Ends this process by the signal it was sent, so that a shell or a supervisor sees what really happened. */
export function dieBySignal(name: NodeJS.Signals): void {
  process.kill(process.pid, name);
}
