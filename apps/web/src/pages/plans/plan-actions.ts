import { npApi } from '../../api/clients.ts';
import { useAction } from '../../api/use-action.ts';
import { say } from '../../lib/toasts.ts';

interface PlanAction<Input> {
  readonly failed: string;
  readonly done: string;
  readonly run: (input: Input) => Promise<unknown>;
  /** Reverts the change. Defaults to the plan's own undo. */
  readonly undo?: () => Promise<unknown>;
}

/** Returns an action that changes a plan and offers an undo in its toast. */
export function usePlanAction<Input = void>(sid: string, { failed, done, run, undo }: PlanAction<Input>) {
  const undoLast = (): Promise<unknown> => npApi.POST('/sessions/{sid}/undo', { params: { sid }, body: {} });
  const takeBack = useAction({
    failed: 'Could not undo',
    done: () => 'Undone',
    touches: ['np'],
    run: undo ?? undoLast,
  });
  return useAction<Input>({
    failed,
    touches: ['np'],
    async run(input) {
      await run(input);
      say(done, { label: 'Undo', run: () => takeBack.mutate() });
    },
  });
}
