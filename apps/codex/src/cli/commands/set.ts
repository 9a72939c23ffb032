import { type CommandContext, commandLineErrors } from '@holdfast/cli';

import { seenPath } from '../../service/paths.ts';
import { eventData, showEvent } from '../view/event.ts';
import { chosenNotebook, type CliContext, perform, withCodex } from '../with-codex.ts';

interface Input {
  readonly args: { readonly path: string; readonly properties: readonly string[] };
  readonly options: CliContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const metadata = metadataOf(context.args.properties);
  await withCodex(context, async (codex) => {
    const notebook = chosenNotebook(codex, context);
    const path = await seenPath(codex, notebook, context.args.path);
    const event = await perform(codex, context, notebook, { type: 'update', file: { path }, metadata });
    context.out.result(eventData(event), (page) => showEvent(page, event));
  });
}

function metadataOf(given: readonly string[]): { set: Record<string, unknown>; unset: string[] } {
  const set: (readonly [string, unknown])[] = [];
  const unset: string[] = [];
  for (const each of given) {
    const at = each.indexOf('=');
    if (at <= 0) throw commandLineErrors.INVALID_ARGUMENT(`${JSON.stringify(each)} is not of the form name=value`);
    if (at === each.length - 1) unset.push(each.slice(0, at));
    else set.push([each.slice(0, at), valueOf(each.slice(at + 1))]);
  }
  return { set: Object.fromEntries(set), unset };
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
