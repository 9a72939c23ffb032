import type { CommandContext } from '@holdfast/cli';

import { basename } from 'node:path';

import { readFile } from '../../adapters/files.ts';
import { addMessage, allMessages } from '../../service/chat.ts';
import { textOf } from '../text-of.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly text: string | undefined };
  readonly options: RingmasterContext['options'] & {
    readonly task: string | undefined;
    readonly role: 'user' | 'assistant' | 'system';
    readonly media: string | undefined;
    readonly limit: number;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, out } = context;
  const content = await textOf(context.stdin, context.args.text);
  await withRingmaster(context, async (rm) => {
    const { project, task, role, media, limit } = options;
    if (content === undefined && media === undefined) {
      const messages = allMessages(rm, { project, task, limit });
      out.result(messages, (page) => page.lines(messages.map((one) => `${one.id} ${one.role}: ${one.content}`)));
      return;
    }
    const file = media === undefined ? undefined : { bytes: readFile(media), name: basename(media) };
    const message = await addMessage(rm, { project, task, role, content: content ?? '', media: file });
    out.result(message, (page) => page.line(String(message.id)));
  });
}
