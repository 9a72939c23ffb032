import type { CommandContext } from '@holdfast/cli';

import { countTags } from '../../store/notes/note-facts.ts';
import { chosenNotebook, type CliContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly options: CliContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withCodex(context, async (codex) => {
    const notebook = chosenNotebook(codex, context);
    await codex.notes.catchUp(notebook);
    const tags = countTags(codex.store.reader, notebook.id).map(({ name, count }) => ({ tag: name, count }));
    context.out.result(tags, (page) => {
      if (tags.length === 0) return page.line('No tags.');
      return page.table(tags, [
        { heading: 'TAG', value: ({ tag }) => tag, flexible: true },
        { heading: 'NOTES', value: ({ count }) => String(count), align: 'right' },
      ]);
    });
  });
}
