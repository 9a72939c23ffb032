import { useQuery } from '@tanstack/react-query';
import { Pause, Play, Square } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { ringmasterApi } from '../../api/clients.ts';
import { programsQuery, statusQuery } from '../../api/ringmaster-queries.ts';
import { useAction } from '../../api/use-action.ts';
import { count } from '../../lib/format.ts';
import { messageOf } from '../../lib/error-reason.ts';
import { useMay } from '../../lib/permissions.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Loaded } from '../../ui/page.tsx';

interface WorkspaceProps {
  readonly workspace: string;
}

/** Starts, stops, pauses and resumes all workers of a workspace, and shows whether they run. */
export function RunButtons({ workspace }: WorkspaceProps): ReactNode {
  const { data: status } = useQuery(statusQuery(workspace));
  const mayChange = useMay('app:ringmaster:write');
  if (status === undefined) return null;
  const isPaused = status.paused_at !== null;
  const run = status.supervisors.find(({ state }) => state !== 'died') ?? status.supervisors.at(-1);
  const isOn = run !== undefined && run.state !== 'died';
  return (
    <div className="flex flex-wrap items-center gap-2">
      {run !== undefined && <RunBadge {...run} />}
      {isPaused && <Badge tone="paused">Paused</Badge>}
      {status.parked_workers.length > 0 && <Badge tone="warn">{parkedText(status.parked_workers)}</Badge>}
      {mayChange && (isOn || isPaused) && <PauseButton workspace={workspace} isPaused={isPaused} />}
      {!isOn && <StartButton workspace={workspace} />}
      {isOn && mayChange && <StopRunButton workspace={workspace} isStopping={run?.state === 'stopping'} />}
    </div>
  );
}

interface Run {
  readonly state: 'running' | 'stopping' | 'died';
  readonly started_by: string;
}

function RunBadge({ state, started_by: person }: Run): ReactNode {
  if (state === 'running') return <Badge tone="busy">Workers started by {person}</Badge>;
  if (state === 'stopping') return <Badge tone="paused">Stopping</Badge>;
  return <Badge tone="bad">Workers ended unexpectedly</Badge>;
}

function parkedText(workers: readonly { readonly id: string }[]): string {
  const [first] = workers;
  return workers.length === 1 ? `${first?.id ?? ''} is parked` : `${workers.length} workers are parked`;
}

function PauseButton({ workspace, isPaused }: WorkspaceProps & { readonly isPaused: boolean }): ReactNode {
  const pause = useAction({
    failed: 'Could not pause or resume workers',
    done: ({ data }) => (data.paused_at === null ? 'Workers resumed' : 'Workers paused. Running tasks will finish.'),
    touches: ['ringmaster'],
    run: (paused: boolean) =>
      ringmasterApi.PUT('/workspaces/{workspace}/paused', { params: { workspace }, body: { paused } }),
  });
  return (
    <Button
      size="small"
      isBusy={pause.isPending}
      icon={isPaused ? Play : Pause}
      onClick={() => pause.mutate(!isPaused)}
    >
      {isPaused ? 'Resume all workers' : 'Pause all workers'}
    </Button>
  );
}

function StopRunButton({ workspace, isStopping }: WorkspaceProps & { readonly isStopping: boolean }): ReactNode {
  const stop = useAction({
    failed: 'Could not stop the workers',
    done: () => 'Stopping. Running workers get time to finish.',
    touches: ['ringmaster'],
    run: () => ringmasterApi.DELETE('/workspaces/{workspace}/run', { params: { workspace } }),
  });
  return (
    <Button size="small" isBusy={stop.isPending} disabled={isStopping} icon={Square} onClick={() => stop.mutate()}>
      Stop workers
    </Button>
  );
}

function StartButton({ workspace }: WorkspaceProps): ReactNode {
  const mayStart = useMay('app:ringmaster:admin');
  const [isOpen, setOpen] = useState(false);
  if (!mayStart) return null;
  return (
    <>
      <Button size="small" icon={Play} onClick={() => setOpen(true)}>
        Start workers
      </Button>
      {isOpen && <StartDialog workspace={workspace} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Lists the programs before it starts them, because the repository may have changed ringmaster.toml. */
function StartDialog({ workspace, onClose }: WorkspaceProps & { readonly onClose: () => void }): ReactNode {
  const programs = useQuery(programsQuery(workspace));
  const [slots, setSlots] = useState('');
  const wanted = Number(slots || programs.data?.slots);
  const start = useAction({
    failed: 'Could not start the workers',
    atField: ['RUN_NOT_STARTED', 'RUN_SETTINGS_CHANGED'],
    touches: ['ringmaster'],
    async run() {
      const body = { settings: programs.data?.settings ?? '', slots: wanted };
      await ringmasterApi.POST('/workspaces/{workspace}/run', { params: { workspace }, body });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Start workers"
      description="These programs run on the server, with the permissions of the user that runs the server, until you stop them."
      action="Start workers"
      isBusy={start.isPending}
      isDisabled={(programs.data?.programs.length ?? 0) === 0 || !Number.isInteger(wanted) || wanted < 1}
      onSubmit={() => start.mutate()}
      onClose={onClose}
    >
      <Loaded query={programs}>
        {({ programs: all, slots: usual }) =>
          all.length === 0 ? (
            <p>No workers yet. Define one as [[workers]] in ringmaster.toml.</p>
          ) : (
            <>
              <dl className="grid gap-2">
                {all.map(({ purpose, command }) => (
                  <div key={purpose}>
                    <dt className="text-[13px] text-muted">{purpose}</dt>
                    <dd className="font-mono text-[13px] break-all">{command.join(' ')}</dd>
                  </div>
                ))}
              </dl>
              <Field
                label="Workers at once"
                type="number"
                min={1}
                max={100}
                placeholder={count(usual)}
                value={slots}
                onChange={setSlots}
                error={start.error === null ? undefined : messageOf(start.error)}
              />
            </>
          )
        }
      </Loaded>
    </FormDialog>
  );
}
