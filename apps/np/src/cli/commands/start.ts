import { type CommandContext, style, type Text } from '@holdfast/cli';
import { commandLine } from '../../adapters/command-line.ts';
import { canonicalDirectory } from '../../adapters/directory.ts';
import { type Started, startSession } from '../../service/start-session.ts';
import { withNp } from '../with-np.ts';

interface Input {
  readonly options: { readonly dir: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const directory = canonicalDirectory(context.options.dir);
  const started = await withNp(context, (np) => startSession(np, { directory, cmd: commandLine('np') }));
  const { session, isNew, shadows } = started;
  const message = messageOf(started);
  context.out.result({ session, created: isNew, shadows: shadows?.sid ?? null, message }, (page) => {
    page.line(message);
    if (isNew) page.lines(GUIDANCE);
  });
  if (shadows !== undefined) {
    context.note(
      style.yellow('note: '),
      `session ${shadows.sid} of ${shadows.dir_path} is out of sight from here until this one is archived.`,
    );
  }
}

function messageOf({ session: { sid, dir_path: path }, isNew }: Started): string {
  if (isNew) return `Session ${sid} is now active for ${path}.`;
  return (
    `Session ${sid} is already active for this directory. ` +
    "There's already an active session for this directory; ask your operator whether they want to resume or archive it."
  );
}

/** Only what comes next: the rest is told when its time comes. */
const GUIDANCE: readonly Text[] = [
  '',
  'Set the goal, with a reference to the issue and to the files it is about, so that anybody can take over:',
  '  np g s -t "title" -d "description"',
  'Then add the tasks, in the order in which you will work on them:',
  '  np t a -t "first" -d "details" -t "second" -d "details"',
];
