import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck, CircleMinus, CircleX, LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

import { codexApi } from '../../api/clients.ts';
import { eventQuery } from '../../api/codex-queries.ts';
import type { CodexEvent } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { useMay } from '../../lib/permissions.ts';
import { Time } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/page.tsx';
import { adviceFor, describeOperation, type Step, stepsOf } from './describe-operation.ts';

interface EventDialogProps {
  /** Empty when the dialog is closed. */
  readonly id: string;
  readonly names: ReadonlyMap<number, string>;
  readonly onClose: () => void;
}

export function EventDialog({ id, names, onClose }: EventDialogProps): ReactNode {
  const event = useQuery({ ...eventQuery(id), enabled: id !== '' });
  return (
    <Dialog
      title={`Operation ${id}`}
      description={
        event.data !== undefined && (
          <span className="break-words">
            {describeOperation(event.data)} · {names.get(event.data.notebook_id)}
          </span>
        )
      }
      isOpen={id !== ''}
      onClose={onClose}
    >
      <Loaded query={event}>{(found) => <EventSteps event={found} />}</Loaded>
    </Dialog>
  );
}

function EventSteps({ event }: { readonly event: CodexEvent }): ReactNode {
  const mayWrite = useMay('app:codex:write');
  const { status, file_id: file, notebook_id: notebook } = event;
  return (
    <>
      <ol className="grid gap-3">
        {stepsOf(event).map((step) => (
          <StepRow key={step.name} step={step} />
        ))}
      </ol>
      {status === 'failed' && (
        <p className="mt-4 rounded-lg bg-bad-soft p-3 break-words text-bad">
          {adviceFor(event)} <span className="font-mono text-xs">{event.error_code}</span>
        </p>
      )}
      {event.superseded_by !== null && <p className="mt-4 text-muted">Included in operation {event.superseded_by}.</p>}
      <DialogActions>
        {status === 'completed' && file !== null && event.event_type !== 'delete' && (
          <Link
            to="/notebooks/$id/files/$file"
            params={{ id: String(notebook), file }}
            className={buttonClass('plain', 'small')}
          >
            Open file
          </Link>
        )}
        {mayWrite && <EventActions event={event} />}
      </DialogActions>
    </>
  );
}

const stepStyles: Readonly<
  Record<Step['state'], { readonly icon: LucideIcon; readonly colours: string; readonly word: string }>
> = {
  done: { icon: CircleCheck, colours: 'text-good', word: 'done' },
  now: { icon: LoaderCircle, colours: 'text-info', word: 'current' },
  later: { icon: Circle, colours: 'text-muted', word: 'pending' },
  failed: { icon: CircleX, colours: 'text-bad', word: 'failed' },
  never: { icon: CircleMinus, colours: 'text-muted', word: 'skipped' },
};

function StepRow({ step: { name, at, state, says } }: { readonly step: Step }): ReactNode {
  const { icon: Icon, colours, word } = stepStyles[state];
  return (
    <li className="flex gap-3" data-step={state}>
      <Icon className={`mt-0.5 size-4 shrink-0 ${colours}`} aria-hidden />
      <div className="min-w-0">
        <p className={`font-medium ${state === 'later' || state === 'never' ? 'text-muted' : ''}`}>
          {name}
          <span className="sr-only">: {word}</span>
          {at !== null && (
            <span className="pl-2 text-[13px] font-normal text-muted">
              <Time at={at} />
            </span>
          )}
        </p>
        {state !== 'never' && <p className="text-[13px] break-words text-muted">{says}</p>}
      </div>
    </li>
  );
}

type EventAction = 'retry' | 'discard' | 'cancel';

const eventActions = {
  retry: { label: 'Retry', done: 'Operation queued again' },
  discard: { label: 'Discard', done: 'Operation discarded' },
  cancel: { label: 'Cancel', done: 'Operation cancelled' },
} as const satisfies Readonly<Record<EventAction, unknown>>;

const actionsByStatus: Readonly<Partial<Record<CodexEvent['status'], readonly EventAction[]>>> = {
  pending: ['cancel'],
  failed: ['retry', 'discard'],
};

/** Buttons for operations that failed or have not started. */
export function EventActions({ event: { id, status } }: { readonly event: CodexEvent }): ReactNode {
  return actionsByStatus[status]?.map((action) => <ActionButton key={action} id={String(id)} action={action} />);
}

function ActionButton({ id, action }: { readonly id: string; readonly action: EventAction }): ReactNode {
  const { label, done } = eventActions[action];
  const act = useAction({
    failed: `Could not ${action} the operation`,
    done: () => done,
    touches: ['codex'],
    run: () => codexApi.POST(`/events/{id}/${action}`, { params: { id } }),
  });
  return (
    <Button
      size="small"
      variant={action === 'retry' ? 'primary' : 'plain'}
      isBusy={act.isPending}
      onClick={() => act.mutate()}
    >
      {label}
      <span className="sr-only"> operation {id}</span>
    </Button>
  );
}
