import type { CommandContext } from '@holdfast/cli';

import { dependencyTree, type TreeNode } from '../../service/dependencies.ts';
import { type RingmasterContext, withRingmaster } from '../with-ringmaster.ts';

interface Input {
  readonly args: { readonly task: string };
  readonly options: RingmasterContext['options'];
}

export async function run(context: CommandContext<Input>): Promise<void> {
  await withRingmaster(context, async (rm) => {
    const tree = dependencyTree(rm, context.args);
    context.out.result(tree, (page) => page.lines(linesOf(tree, '')));
  });
}

function linesOf(node: TreeNode, indent: string): string[] {
  const kind = node.type === undefined ? '' : ` [${node.type}]`;
  const line = `${indent}${node.id} ${node.title} (${node.status})${kind}${node.repeated ? ' …' : ''}`;
  return [line, ...node.dependencies.flatMap((child) => linesOf(child, `${indent}  `))];
}
