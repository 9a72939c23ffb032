import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';

import { ringmasterApi } from '../../../api/clients.ts';
import { queryClient } from '../../../api/query-client.ts';
import { promptQuery } from '../../../api/ringmaster-queries.ts';
import type { LogPiece, RecordedPrompt, ShownTask } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { useFilters } from '../../../lib/filters.ts';
import { count } from '../../../lib/format.ts';
import { lazyPart } from '../../../lib/lazy-part.ts';
import { useMay } from '../../../lib/permissions.ts';
import { batched } from '../../../live/batched.ts';
import { createConnection } from '../../../live/connection.ts';
import { followStream } from '../../../live/streams.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice, Segments } from '../../../ui/field.tsx';
import { LogView } from '../../../ui/log/log-view.tsx';
import { Card, Loaded, Skeleton } from '../../../ui/page.tsx';
import { emptyLog, withPieces } from './log-lines.ts';

/** Loaded when the first diff is shown, so that it does not delay the board. */
const Changed = lazyPart(async () => (await import('./changed.tsx')).Changed);

interface WorkProps {
  readonly workspace: string;
  readonly shown: ShownTask;
}

const parts = [
  { value: 'log', label: 'Log' },
  { value: 'changes', label: 'Changes' },
  { value: 'prompt', label: 'Prompt' },
] as const;

export function Work({ workspace, shown }: WorkProps): ReactNode {
  const [{ part = 'log' }, change] = useFilters();
  const { task, attempts, iterations } = shown;
  const chosen = parts.find(({ value }) => value === part)?.value ?? 'log';
  const turn = iterations.at(-1)?.number;
  if (attempts.length === 0) {
    return (
      <Card title="Work">
        <p className="text-muted">No worker has started this task yet.</p>
        <PromptPreview workspace={workspace} id={task.id} />
      </Card>
    );
  }
  return (
    <Card
      title="Work"
      isFlush
      actions={
        <Segments
          label="Work view"
          value={chosen}
          options={parts}
          onChange={(next) => change({ part: next === 'log' ? '' : next })}
        />
      }
    >
      <div className="border-t border-line">
        {chosen === 'log' && <Logs workspace={workspace} shown={shown} />}
        <Suspense fallback={<Skeleton />}>
          {chosen === 'changes' && <Changed workspace={workspace} id={task.id} />}
        </Suspense>
        {chosen === 'prompt' && <Prompt workspace={workspace} id={task.id} turn={turn} />}
      </div>
    </Card>
  );
}

function Logs({ workspace, shown: { task, attempts } }: WorkProps): ReactNode {
  const [picked, setPicked] = useState('last');
  const last = attempts.at(-1);
  const past = attempts.slice(0, -1).map(({ number }) => ({ value: String(number), label: `Attempt ${number}` }));
  return (
    <>
      {past.length > 0 && (
        <div className="border-b border-line px-4 py-2">
          <div className="w-44">
            <Choice
              label="Attempt"
              isLabelHidden
              value={picked}
              options={[{ value: 'last', label: `Attempt ${last?.number} (latest)` }, ...past.toReversed()]}
              onChange={setPicked}
            />
          </div>
        </div>
      )}
      {picked === 'last' ? (
        <LiveLog workspace={workspace} id={task.id} attempt={last?.id} label="Log" />
      ) : (
        <PastLog workspace={workspace} id={task.id} attempt={Number(picked)} />
      )}
    </>
  );
}

interface PromptProps {
  readonly workspace: string;
  readonly id: string;
  readonly turn: number | undefined;
}

function Prompt({ workspace, id, turn }: PromptProps): ReactNode {
  const prompt = useQuery({ ...promptQuery(workspace, id, turn ?? 1), enabled: turn !== undefined });
  if (turn === undefined) return <p className="p-5 text-muted">No prompt recorded yet.</p>;
  return (
    <Loaded query={prompt}>
      {(found) => (
        <div className="p-4">
          <PromptText prompt={found} about={`Turn ${turn}`} />
        </div>
      )}
    </Loaded>
  );
}

/** Shows the prompt that a worker would get now. */
function PromptPreview({ workspace, id }: LogProps): ReactNode {
  const mayWrite = useMay('app:ringmaster:write');
  const preview = useAction({
    failed: 'Could not assemble the prompt',
    run: async () => {
      const params = { workspace, task: id };
      return (await ringmasterApi.POST('/workspaces/{workspace}/tasks/{task}/prompt', { params, body: {} })).data;
    },
  });
  if (!mayWrite) return null;
  return (
    <div className="mt-3 grid justify-items-start gap-3">
      <Button size="small" isBusy={preview.isPending} onClick={() => preview.mutate()}>
        Preview prompt
      </Button>
      {preview.data !== undefined && <PromptText prompt={preview.data} about="Not sent yet" />}
    </div>
  );
}

interface PromptTextProps {
  readonly prompt: Pick<RecordedPrompt, 'text' | 'tokens' | 'budget_tokens'> & {
    readonly considered: readonly Pick<
      RecordedPrompt['considered'][number],
      'source' | 'name' | 'verdict' | 'reason'
    >[];
  };
  readonly about: string;
}

function PromptText({ prompt, about }: PromptTextProps): ReactNode {
  const { text, tokens, budget_tokens: budget, considered } = prompt;
  return (
    <div className="grid w-full grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-[13px] text-muted">
        {about}
        {tokens !== null && ` · about ${count(tokens)} of ${count(budget ?? 0)} tokens`}
      </p>
      <pre
        role="region"
        aria-label="Prompt"
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-lg bg-sunken p-4 font-mono text-[13px] break-words whitespace-pre-wrap"
      >
        {text}
      </pre>
      {considered.length > 0 && (
        <details>
          <summary className="text-[13px] text-muted">Show the sources considered for the prompt</summary>
          <ul className="mt-2 grid gap-1 text-[13px]">
            {considered.map(({ source, name, verdict, reason }, at) => (
              <li key={at} className="break-words">
                <span className="font-medium">{source}</span> {name}{' '}
                <span className="text-muted">
                  {verdict}, {reason}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

interface LogProps {
  readonly workspace: string;
  readonly id: string;
}

export function LiveLog(props: LogProps & { readonly attempt: number | undefined; readonly label: string }): ReactNode {
  const { log, hasEnded } = useLiveLog(props.workspace, props.id, props.attempt);
  return <LogView label={props.label} {...log} isLive={!hasEnded} empty="No output yet" />;
}

function PastLog({ workspace, id, attempt }: LogProps & { readonly attempt: number }): ReactNode {
  const log = useQuery({
    queryKey: ['ringmaster-log', workspace, id, attempt],
    queryFn: async ({ signal }) => {
      const input = { params: { workspace, task: id }, query: { attempt }, signal };
      const { data } = await ringmasterApi.GET('/workspaces/{workspace}/tasks/{task}/log', input);
      return withPieces(emptyLog, data.data);
    },
  });
  return (
    <Loaded query={log}>
      {(found) => <LogView label={`Log of attempt ${attempt}`} {...found} isLive={false} empty="No output" />}
    </Loaded>
  );
}

const COALESCE_MS = 40;

const nothing = { log: emptyLog, hasEnded: false };

/**
 * A worker's output, from the start of its current turn to the end of its attempt. During this time, the workspace's
 * stream is paused, because a tab keeps only one stream open.
 */
function useLiveLog(workspace: string, id: string, attempt: number | undefined): typeof nothing {
  const [state, setState] = useState(nothing);
  useEffect(() => {
    setState(nothing);
    let stop: (() => void) | undefined;
    const arrive = batched<LogPiece>(COALESCE_MS, (pieces) => {
      setState((known) => ({ ...known, log: withPieces(known.log, pieces) }));
    });
    const end = (): void => {
      stop?.();
      stop = undefined;
      setState((known) => ({ ...known, hasEnded: true }));
      void queryClient.invalidateQueries({ queryKey: ['ringmaster', workspace] });
    };
    const url = ringmasterApi.url('/workspaces/{workspace}/tasks/{task}/log/live', { params: { workspace, task: id } });
    const connection = createConnection(url, {
      onEvent({ event, data }) {
        if (event === 'log') arrive(JSON.parse(data) as LogPiece);
        if (event === 'end') setTimeout(end, COALESCE_MS * 2);
      },
      onGap: () => undefined,
    });
    // Waits for the next turn of the event loop, because the page must open its own stream first, in an effect that
    // runs after this one.
    const begin = setTimeout(() => (stop = followStream(connection, 'page')));
    return () => {
      clearTimeout(begin);
      stop?.();
    };
  }, [workspace, id, attempt]);
  return state;
}
