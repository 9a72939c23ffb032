import type { CommandContext } from '@holdfast/cli';

import { drawGraph } from '../../service/draw-graph.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly options: RingmasterContext['options'] & {
    readonly format: 'mermaid' | 'dot' | 'json';
    readonly all: boolean;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const { graph, text } = drawGraph(rm, context.options);
    if (context.isJson) context.out.result(graph, () => undefined);
    else context.out.raw(text);
  });
}
