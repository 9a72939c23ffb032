import { Link } from '@tanstack/react-router';
import { CloudCog, Plus, RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { codexApi } from '../../api/clients.ts';
import type { NotebookStatus } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { messageOf } from '../../lib/error-reason.ts';
import { count } from '../../lib/format.ts';
import { useMay } from '../../lib/permissions.ts';
import { Badge, Time, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton, FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';

type Remote = NotebookStatus['remotes'][number];
type Conflict = NotebookStatus['conflicts'][number];

/** Shows remotes with their last sync, and files that have two versions. */
export function Remotes({ id, status }: { readonly id: string; readonly status: NotebookStatus }): ReactNode {
  const mayWrite = useMay('app:codex:write');
  const mayManage = useMay('app:codex:admin');
  const [isAdding, setAdding] = useState(false);
  const sync = useAction({
    failed: 'Could not sync',
    touches: ['codex'],
    done: ({ conflicts }) => (conflicts.length === 0 ? 'Synced' : `Synced; ${count(conflicts.length, 'conflict')}`),
    run: async () => (await codexApi.POST('/notebooks/{notebook}/sync', { params: { notebook: id }, body: {} })).data,
  });
  const { remotes, conflicts } = status;
  return (
    <>
      {(remotes.length > 0 || mayManage) && (
        <Card
          title="Remotes"
          description="Git repositories that this notebook syncs with."
          isFlush
          actions={
            <div className="flex flex-wrap gap-2">
              {mayWrite && remotes.length > 0 && (
                <Button size="small" icon={RefreshCw} isBusy={sync.isPending} onClick={() => sync.mutate()}>
                  Sync now
                </Button>
              )}
              {mayManage && (
                <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
                  Add remote
                </Button>
              )}
            </div>
          }
        >
          {remotes.length > 0 && (
            <ul className="divide-y divide-line border-t border-line">
              {remotes.map((remote) => (
                <RemoteRow key={remote.name} id={id} remote={remote} />
              ))}
            </ul>
          )}
        </Card>
      )}
      {isAdding && <AddRemote id={id} onClose={() => setAdding(false)} />}
      {conflicts.length > 0 && (
        <Card title="Conflicts" isFlush>
          <p className="px-5 pb-3 text-[13px] text-muted">
            Two versions of these files exist, because both sides changed the same lines.
          </p>
          <ul className="divide-y divide-line border-t border-line">
            {conflicts.map((conflict) => (
              <ConflictRow key={conflict.copy} id={id} conflict={conflict} />
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

function describeRemote({ problem, is_merging, ahead, behind, synced_at }: Remote): {
  readonly tone: Tone;
  readonly word: string;
} {
  if (problem !== null) return { tone: 'warn', word: 'Failed' };
  if (is_merging) return { tone: 'busy', word: 'Merging' };
  if (synced_at === null) return { tone: 'busy', word: 'Not synced yet' };
  if (ahead === 0 && behind === 0) return { tone: 'good', word: 'In sync' };
  return { tone: 'busy', word: `${ahead ?? 0} ahead, ${behind ?? 0} behind` };
}

/** Codes of the errors that the field `Address` shows. */
const atAddress = ['REMOTE_ADDRESS', 'REMOTE_UNSUITABLE'] as const;

function AddRemote({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const [name, setName] = useState('origin');
  const [url, setUrl] = useState('');
  const [branch, setBranch] = useState('');
  const [token, setToken] = useState('');
  const add = useAction({
    failed: 'Could not add the remote',
    atField: ['REMOTE_EXISTS', ...atAddress],
    done: () => `Added ${name.trim()}`,
    touches: ['codex'],
    run: async () => {
      const optional = {
        ...(branch.trim() === '' ? {} : { branch: branch.trim() }),
        ...(token === '' ? {} : { token }),
      };
      const body = { name: name.trim(), url: url.trim(), ...optional };
      await codexApi.POST('/notebooks/{notebook}/remotes', { params: { notebook: id }, body });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Add remote"
      action="Add remote"
      isBusy={add.isPending}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        required
        maxLength={60}
        error={messageOf(add.error, 'REMOTE_EXISTS')}
        value={name}
        onChange={setName}
      />
      <Field
        label="Address"
        required
        spellCheck={false}
        help="https://…, ssh://… or USER@HOST:PATH"
        error={messageOf(add.error, ...atAddress)}
        value={url}
        onChange={setUrl}
      />
      <Field label="Branch" help="Leave empty for the current branch." value={branch} onChange={setBranch} />
      <Field
        label="Access token"
        type="password"
        autoComplete="off"
        help="Only for https. Stored encrypted."
        value={token}
        onChange={setToken}
      />
    </FormDialog>
  );
}

function RemoveRemote({ id, name }: { readonly id: string; readonly name: string }): ReactNode {
  const remove = useAction({
    failed: `Could not remove ${name}`,
    done: () => `Removed ${name}`,
    touches: ['codex'],
    run: () => codexApi.DELETE('/notebooks/{notebook}/remotes/{remote}', { params: { notebook: id, remote: name } }),
  });
  return (
    <ConfirmButton
      size="small"
      variant="quiet"
      title={`Remove the remote ${name}?`}
      action="Remove remote"
      mutation={remove}
      explanation={<p>The notebook and the remote repository keep all notes. You can add the remote again.</p>}
    >
      Remove<span className="sr-only"> {name}</span>
    </ConfirmButton>
  );
}

function RemoteRow({ id, remote }: { readonly id: string; readonly remote: Remote }): ReactNode {
  const mayManage = useMay('app:codex:admin');
  const { name, url, branch, synced_at: synced, problem, skipped } = remote;
  const { tone, word } = describeRemote(remote);
  return (
    <li className="grid gap-1 px-5 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <CloudCog className="size-4 shrink-0 text-muted" aria-hidden />
        <span className="font-medium">{name}</span>
        <Badge tone={tone}>{word}</Badge>
        <span className="min-w-0 flex-1 basis-48 font-mono text-xs break-all text-muted">
          {url} ({branch})
        </span>
        {synced !== null && (
          <span className="text-[13px] text-muted">
            synced <Time at={synced} />
          </span>
        )}
        {mayManage && <RemoveRemote id={id} name={name} />}
      </div>
      {problem !== null && <p className="text-[13px] break-words text-warn">{problem.message}</p>}
      {skipped.length > 0 && (
        <details className="text-[13px] text-muted">
          <summary>{count(skipped.length, 'file')} cannot be stored in the notebook</summary>
          <ul className="mt-1 grid gap-1">
            {skipped.map(({ path, reason }) => (
              <li key={path} className="break-words">
                {path}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function ConflictRow({ id, conflict }: { readonly id: string; readonly conflict: Conflict }): ReactNode {
  const mayWrite = useMay('app:codex:write');
  const { path, copy, file_id: fileId, copy_id: copyId } = conflict;
  const resolve = useAction({
    failed: 'Could not resolve the conflict',
    touches: ['codex'],
    done: () => 'Resolved; the other version stays in the history',
    run: async (keep: 'file' | 'copy' | 'both') => {
      await codexApi.POST('/notebooks/{notebook}/conflicts/resolve', {
        params: { notebook: id },
        body: { copy, keep },
      });
    },
  });
  const choices = [
    ['file', 'Keep this file'],
    ['copy', 'Use the other version'],
    ['both', 'Keep both'],
  ] as const;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-3">
      <span className="grid min-w-0 flex-1 basis-56">
        <ToFile id={id} fileId={fileId} path={path} />
        <ToFile id={id} fileId={copyId} path={copy} />
      </span>
      {mayWrite && (
        <span className="flex flex-wrap gap-2">
          {choices.map(([keep, label]) => (
            <Button key={keep} size="small" isBusy={resolve.isPending} onClick={() => resolve.mutate(keep)}>
              {label}
              <span className="sr-only"> of {path}</span>
            </Button>
          ))}
        </span>
      )}
    </li>
  );
}

interface ToFileProps {
  readonly id: string;
  readonly fileId: string | null;
  readonly path: string;
}

function ToFile({ id, fileId, path }: ToFileProps): ReactNode {
  if (fileId === null) return <span className="break-words text-muted">{path}</span>;
  return (
    <Link
      to="/notebooks/$id/files/$file"
      params={{ id, file: fileId }}
      className="break-words font-medium text-accent-strong hover:underline"
    >
      {path}
    </Link>
  );
}
