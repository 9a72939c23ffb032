import { ringmasterApi } from '../../../api/clients.ts';
import { useAction } from '../../../api/use-action.ts';
import { count } from '../../../lib/format.ts';
import { say } from '../../../lib/toasts.ts';
import { commentTexts, forgetComments, type LineComments } from './line-comments.ts';

const touches = ['ringmaster', 'ringmaster-why'];

interface Request {
  readonly task: string;
  readonly text: string;
  readonly comments: LineComments;
}

/** Actions on reviewed work. Each takes several tasks, so that one click can finish a whole review. */
export function useReview(workspace: string) {
  const setStatus = (tasks: readonly string[], status: 'done' | 'review'): Promise<unknown> =>
    ringmasterApi.POST('/workspaces/{workspace}/task-status', {
      params: { workspace },
      body: { tasks: [...tasks], status },
    });
  const undo = useAction<readonly string[]>({
    failed: 'Could not undo',
    touches,
    run: (tasks) => setStatus(tasks, 'review'),
  });
  const approve = useAction<readonly string[]>({
    failed: 'Could not approve the work',
    touches,
    run: async (tasks) => {
      await setStatus(tasks, 'done');
      say(`Approved ${count(tasks.length, 'task')}`, { label: 'Undo', run: () => undo.mutate(tasks) });
    },
  });
  const merge = useAction<readonly string[], number>({
    failed: 'Could not merge the work',
    done: (merged) => `Approved and merged ${count(merged, 'task')}`,
    touches,
    run: async (tasks) => {
      for (const task of tasks) {
        await ringmasterApi.POST('/workspaces/{workspace}/tasks/{task}/merge', { params: { workspace, task } });
      }
      return tasks.length;
    },
  });
  const request = useAction<Request>({
    failed: 'Could not request changes',
    done: () => 'Changes requested. The next worker gets your comments.',
    touches,
    run: async ({ task, text, comments }) => {
      await ringmasterApi.POST('/workspaces/{workspace}/tasks/{task}/requested-changes', {
        params: { workspace, task },
        body: { ...(text.trim() === '' ? {} : { text }), comments: commentTexts(comments) },
      });
      forgetComments(task);
    },
  });
  return { approve, merge, request };
}
