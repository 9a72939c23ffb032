import type { CommandContext } from '@holdfast/cli';
import { type Configuration, configuration } from '../../adapters/configuration.ts';
import { utaskErrors } from '../../model/errors.ts';
import { openUtask } from '../../service/open-utask.ts';
import { transferTasks } from '../../service/transfer.ts';
import { shownTransfer } from '../transfer-view.ts';
import { type UtaskContext, withUtask } from '../with-utask.ts';

interface Input {
  readonly options: UtaskContext['options'] & {
    readonly to: string;
    readonly toProfile: string | undefined;
    readonly overwrite: boolean;
  };
}

/** Copies every task. Nothing is taken away from where it was; doing it again copies what is still missing. */
export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, env, out, progress } = context;
  const target = options.to === 'embedded' ? { embedded: true } : { embedded: false, natsUrl: options.to };
  const destination = configuration({ ...options, ...target, profile: options.toProfile ?? options.profile }, env);
  refuseSamePlace(configuration(options, env), destination);
  await withUtask(context, async (from) => {
    const tasks = await from.all();
    const to = await openUtask(destination);
    try {
      using bar = progress('copying', tasks.length);
      const done = await transferTasks(to, tasks, { overwrite: options.overwrite, onTask: bar.advance });
      out.result({ from: from.facts.where, to: to.facts.where, ...done }, (page) => {
        page.lines(shownTransfer(done));
      });
    } finally {
      await to.close();
    }
  });
}

/** Copying a list onto itself looks like success and copies nothing: usually `--embedded` was meant. */
function refuseSamePlace(from: Configuration, to: Configuration): void {
  if (from.url === to.url && from.profile === to.profile) {
    throw utaskErrors.SAME_PLACE(
      `The tasks are at ${from.url === undefined ? from.databasePath : 'that server'} already.`,
    );
  }
}
