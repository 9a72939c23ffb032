import { type CommandContext, style } from '@holdfast/cli';

import { search } from '../../service/search.ts';
import { chosenNotebook, type CliContext, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly words: readonly string[] };
  readonly options: CliContext['options'] & {
    readonly tag: readonly string[];
    readonly property: readonly string[];
    readonly path: string | undefined;
    readonly limit: number;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  await withCodex(context, async (codex) => {
    const notebooks = options.notebook === undefined ? codex.notebooks() : [chosenNotebook(codex, context)];
    // Without a server nobody has looked yet whether something is missing.
    for (const notebook of notebooks) await codex.notes.catchUp(notebook);
    const { hits } = search(
      codex.store.reader,
      notebooks.map(({ id }) => id),
      {
        text: args.words.join(' '),
        tags: options.tag,
        properties: options.property,
        path: options.path,
        limit: options.limit,
      },
    );
    const names = new Map(notebooks.map(({ id, name }) => [id, name]));
    const found = hits.map(({ file, note, snippet, score }) => ({
      notebook: names.get(file.notebook_id) ?? '',
      id: file.id,
      path: file.path,
      title: file.title,
      tags: note.tags,
      snippet,
      score,
    }));
    out.result(found, (page) => {
      if (found.length === 0) page.line('Nothing found.');
      for (const { notebook, path, title, snippet } of found) {
        const place = notebooks.length > 1 ? `${notebook}: ${path}` : path;
        page.line(style.bold(place), title === null ? '' : `  ${title}`);
        if (snippet.every(({ text }) => text.trim() === '')) continue;
        page.line(
          '  ',
          ...snippet.map(({ text, hit }) => (hit ? style.bold(oneLine(text)) : style.dim(oneLine(text)))),
        );
      }
    });
  });
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ');
}
