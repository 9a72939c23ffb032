import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';

import { say, withdraw } from '../lib/toasts.ts';

export interface Action<Input, Output> {
  /** Title of the error toast, for example `Could not revoke the token`. */
  readonly failed: string;
  /** Error codes that the form shows at a field instead of a toast. */
  readonly atField?: readonly string[];
  readonly done?: (output: Output) => string;
  readonly touches?: readonly string[];
  readonly run: (input: Input) => Promise<Output>;
}

/** Returns a mutation that reports success or failure in a toast and refetches the queries it affects. */
export function useAction<Input = void, Output = unknown>(
  action: Action<Input, Output>,
): UseMutationResult<Output, Error, Input> {
  const client = useQueryClient();
  return useMutation<Output, Error, Input>({
    mutationFn: action.run,
    meta: { doing: action.failed, atField: action.atField ?? [] },
    onSuccess: async (output) => {
      withdraw(action.failed);
      if (action.done !== undefined) say(action.done(output));
      await Promise.all((action.touches ?? []).map((name) => client.invalidateQueries({ queryKey: [name] })));
    },
  });
}
