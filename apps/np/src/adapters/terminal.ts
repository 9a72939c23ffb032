/** The terminal that this process was started in, for a program that takes all of it. */
export interface TerminalSession {
  readonly columns: number;
  readonly rows: number;
  readonly write: (data: string) => void;
  readonly onInput: (listener: (text: string) => void) => void;
  readonly onResize: (listener: () => void) => void;
  /** Called on the way out, whichever it is, as long as this process has a say in it. */
  readonly onExit: (listener: () => void) => void;
  /** Stops this process as Ctrl-Z does, and comes back when it is continued. */
  readonly suspend: () => Promise<void>;
  readonly close: () => void;
}

const COLUMNS_DEFAULT = 80;
const ROWS_DEFAULT = 24;
/** Long enough for a signal to a process to be delivered to it. */
const DELIVERED_MS = 50;

/** A terminal that is closed sends a signal; by default the process would end without putting anything in order. */
function hangUp(): void {
  process.exit();
}

export function openTerminal(): TerminalSession {
  const { stdin, stdout } = process;
  const exitListeners: (() => void)[] = [];
  const leave = (): void => {
    for (const listener of exitListeners.splice(0)) listener();
    if (stdin.isTTY) stdin.setRawMode(false);
  };
  process.once('exit', leave);
  process.once('SIGHUP', hangUp);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  return {
    get columns() {
      // A terminal that nobody gave a size says 0.
      return stdout.columns || COLUMNS_DEFAULT;
    },
    get rows() {
      return stdout.rows || ROWS_DEFAULT;
    },
    write: (data) => void stdout.write(data),
    onInput: (listener) => void stdin.on('data', listener),
    onResize: (listener) => void stdout.on('resize', listener),
    onExit: (listener) => void exitListeners.push(listener),
    suspend: () =>
      new Promise((resolve) => {
        const goOn = (): void => {
          process.off('SIGCONT', goOn);
          clearTimeout(notStopped);
          stdin.setRawMode(true);
          resolve();
        };
        process.once('SIGCONT', goOn);
        stdin.setRawMode(false);
        process.kill(process.pid, 'SIGTSTP');
        // Without a shell that could continue it, the system does not stop a process at all.
        const notStopped = setTimeout(goOn, DELIVERED_MS);
      }),
    close: () => {
      leave();
      process.off('exit', leave);
      process.off('SIGHUP', hangUp);
      stdin.removeAllListeners('data');
      stdin.pause();
      stdout.removeAllListeners('resize');
    },
  };
}
