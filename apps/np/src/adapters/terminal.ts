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
      return stdout.columns;
    },
    get rows() {
      return stdout.rows;
    },
    write: (data) => void stdout.write(data),
    onInput: (listener) => void stdin.on('data', listener),
    onResize: (listener) => void stdout.on('resize', listener),
    onExit: (listener) => void exitListeners.push(listener),
    suspend: () =>
      new Promise((resolve) => {
        process.once('SIGCONT', () => {
          stdin.setRawMode(true);
          resolve();
        });
        stdin.setRawMode(false);
        process.kill(process.pid, 'SIGTSTP');
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
