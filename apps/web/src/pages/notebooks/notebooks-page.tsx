import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { NotebookText, Plus } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

import { codexApi } from '../../api/clients.ts';
import { notebooksQuery, notebookStatusQuery, recentQuery } from '../../api/codex-queries.ts';
import type { Notebook } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { messageOf } from '../../lib/error-reason.ts';
import { useMay } from '../../lib/permissions.ts';
import { randomKey } from '../../lib/random-key.ts';
import { followStream } from '../../live/streams.ts';
import { Time } from '../../ui/badge.tsx';
import { Button, buttonClass, Command } from '../../ui/button.tsx';
import { ConfirmButton, FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FolderField } from '../../ui/folder-field.tsx';
import { Card, EmptyState, Loaded, Page } from '../../ui/page.tsx';
import { codexStream } from './codex-stream.ts';
import { NotebookLayout, type NotebookViewName } from './notebook-layout.tsx';
import { recentChanges, StatusLine } from './notebook-overview.tsx';

interface Params {
  readonly id?: string;
  readonly file?: string;
}

export function Component(): ReactNode {
  const { id, file }: Params = useParams({ strict: false });
  const { pathname } = useLocation();
  useEffect(() => followStream(codexStream, 'page'), []);
  if (id === undefined) return <NotebooksList />;
  return <NotebookLayout key={id} id={id} fileId={file} view={viewOf(pathname)} />;
}

function viewOf(pathname: string): NotebookViewName {
  const last = pathname.split('/').at(-1);
  return last === 'graph' || last === 'history' || last === 'search' ? last : 'note';
}

const SHOWN = 3;

function NotebooksList(): ReactNode {
  const notebooks = useQuery(notebooksQuery);
  const mayWrite = useMay('app:codex:write');
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title="Notebooks"
      description="Folders of plain files. Edit them here or with any program; every change is kept."
      actions={
        mayWrite && (
          <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
            Add notebook
          </Button>
        )
      }
    >
      <Loaded query={notebooks}>
        {(all) =>
          all.length === 0 ? (
            <NoNotebooks />
          ) : (
            <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,22rem),1fr))] gap-6">
              {all.map((notebook) => (
                <NotebookCard key={notebook.id} notebook={notebook} mayWrite={mayWrite} />
              ))}
            </div>
          )
        }
      </Loaded>
      {isAdding && <AddNotebook onClose={() => setAdding(false)} />}
    </Page>
  );
}

function NoNotebooks(): ReactNode {
  return (
    <Card isFlush>
      <EmptyState icon={NotebookText} title="No notebooks yet">
        <p>
          A notebook is an ordinary folder of Markdown and other files. Your editor, scripts and this page work on the
          same files, and git keeps every version. Add one above, or in a terminal:
        </p>
        <div className="grid w-[min(26rem,70vw)] gap-2 text-left text-text">
          <Command text="holdfast notebooks add lab ~/lab" />
          <Command text="echo 'It boiled.' | holdfast notebooks write runs/1.md" />
        </div>
      </EmptyState>
    </Card>
  );
}

function NotebookCard({
  notebook: { id, name, path },
  mayWrite,
}: {
  readonly notebook: Notebook;
  readonly mayWrite: boolean;
}): ReactNode {
  const key = String(id);
  const status = useQuery(notebookStatusQuery(key));
  const { data: recent = [] } = useQuery(recentQuery(key));
  const files = recentChanges(recent).slice(0, SHOWN);
  return (
    <Card
      title={
        <Link to="/notebooks/$id" params={{ id: key }} className="hover:underline">
          {name}
        </Link>
      }
      description={<span className="font-mono text-xs break-all">{path}</span>}
    >
      <div className="grid gap-4">
        <Loaded query={status}>{(found) => <StatusLine status={found} />}</Loaded>
        {files.length > 0 && (
          <ul className="grid gap-1" aria-label={`Recent changes in ${name}`}>
            {files.map(({ fileId, path: file, at }) => (
              <li key={fileId} className="flex items-baseline gap-3">
                <Link
                  to="/notebooks/$id/files/$file"
                  params={{ id: key, file: fileId }}
                  className="min-w-0 flex-1 truncate hover:underline"
                >
                  {file}
                </Link>
                <span className="text-[13px] text-muted">
                  <Time at={at} />
                </span>
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap gap-2">
          <Link to="/notebooks/$id" params={{ id: key }} className={buttonClass('primary', 'small')}>
            Open<span className="sr-only"> {name}</span>
          </Link>
          {mayWrite && <RemoveNotebook id={key} name={name} path={path} />}
        </div>
      </div>
    </Card>
  );
}

function RemoveNotebook(props: { readonly id: string; readonly name: string; readonly path: string }): ReactNode {
  const { id, name, path } = props;
  const remove = useAction({
    failed: `Could not remove ${name}`,
    done: () => `Removed ${name}; its files are unchanged`,
    touches: ['codex'],
    run: () => codexApi.DELETE('/notebooks/{notebook}', { params: { notebook: id } }),
  });
  return (
    <ConfirmButton
      variant="quiet"
      size="small"
      title={`Remove the notebook ${name}?`}
      action="Remove notebook"
      mutation={remove}
      explanation={<p>Files and their history stay in {path}. You can add the notebook again at any time.</p>}
    >
      Remove<span className="sr-only"> {name}</span>
    </ConfirmButton>
  );
}

/** Codes of the errors that the field `Folder` shows. */
const atFolder = ['NOTEBOOK_FOLDER', 'PATH_INVALID', 'GIT_REPOSITORY_REFUSED'] as const;

function AddNotebook({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [path, setPath] = useState('');
  const [key] = useState(randomKey);
  const add = useAction({
    failed: 'Could not add the notebook',
    atField: ['NOTEBOOK_EXISTS', ...atFolder],
    done: () => `Added ${name}`,
    touches: ['codex'],
    async run() {
      const body = { name: name.trim(), ...(path.trim() === '' ? {} : { path: path.trim() }) };
      const { data } = await codexApi.POST('/notebooks', { body, idempotencyKey: key });
      onClose();
      await navigate({ to: '/notebooks/$id', params: { id: String(data.id) } });
    },
  });
  return (
    <FormDialog
      title="Add notebook"
      description="Choose a new or existing folder. Existing files stay unchanged."
      action="Add notebook"
      isBusy={add.isPending}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        required
        maxLength={100}
        value={name}
        onChange={setName}
        help="Name shown here and used in commands."
        error={messageOf(add.error, 'NOTEBOOK_EXISTS')}
      />
      <FolderField
        label="Folder"
        value={path}
        onChange={setPath}
        help="Absolute path on the server. Leave it empty to create a folder in the data home."
        error={messageOf(add.error, ...atFolder)}
      />
    </FormDialog>
  );
}
