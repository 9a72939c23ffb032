/** The terminal of this process, for a full-screen program. */
export interface TerminalSession {
  readonly columns: number;
  readonly rows: number;
  readonly write: (data: string) => void;
  readonly onInput: (listener: (text: string) => void) => void;
  readonly onResize: (listener: () => void) => void;
  /** Calls `listener` when the process exits (also after SIGHUP) or the terminal is closed. */
  readonly onExit: (listener: () => void) => void;
  /** Stops this process as Ctrl-Z does; resolves when it is continued. */
  readonly suspend: () => Promise<void>;
  readonly close: () => void;
}

const COLUMNS_DEFAULT = 80;
const ROWS_DEFAULT = 24;
/** Time after which a signal has certainly been delivered. */
const DELIVERED_MS = 50;

/** Exits on SIGHUP, so that exit listeners restore the terminal. */
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
      // A terminal without a size reports 0.
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
        const resume = (): void => {
          process.off('SIGCONT', resume);
          clearTimeout(notStopped);
          stdin.setRawMode(true);
          resolve();
        };
        process.once('SIGCONT', resume);
        stdin.setRawMode(false);
        process.kill(process.pid, 'SIGTSTP');
        // The kernel ignores SIGTSTP in an orphaned process group. So if the signal has not stopped this process after
        // a short time, the process continues.
        const notStopped = setTimeout(resume, DELIVERED_MS);
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
