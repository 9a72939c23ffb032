import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';

import { codexApi } from '../../api/clients.ts';
import { foldersQuery, templatesQuery } from '../../api/codex-queries.ts';
import { useAction } from '../../api/use-action.ts';
import { messageOf } from '../../lib/error-reason.ts';
import { randomKey } from '../../lib/random-key.ts';
import { Confirm, FormDialog } from '../../ui/dialog.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { folderName, type TreeActions, treeOf } from './tree/tree-actions.ts';
import { joined, type TreeEntry } from './tree/tree-rows.ts';

export type Asked =
  | { readonly what: 'note' | 'folder'; readonly folder: string }
  | { readonly what: 'move' | 'delete'; readonly entry: TreeEntry };

interface FileDialogsProps {
  readonly id: string;
  readonly asked: Asked | undefined;
  readonly actions: TreeActions;
  readonly onGo: () => void;
  readonly onClose: () => void;
}

export function FileDialogs({ id, asked, actions, onGo, onClose }: FileDialogsProps): ReactNode {
  const entry = asked !== undefined && 'entry' in asked ? asked.entry : undefined;
  return (
    <>
      {asked?.what === 'note' && <NewNote id={id} folder={asked.folder} onGo={onGo} onClose={onClose} />}
      {asked?.what === 'folder' && <NewFolder folder={asked.folder} actions={actions} onClose={onClose} />}
      {asked?.what === 'move' && <MoveTo id={id} entry={asked.entry} actions={actions} onClose={onClose} />}
      <Confirm
        title={`Delete ${entry?.name ?? ''}?`}
        action="Move to trash"
        isOpen={asked?.what === 'delete'}
        isBusy={actions.isRemoving}
        onClose={onClose}
        onConfirm={() => {
          if (entry !== undefined) actions.remove(entry);
          onClose();
        }}
      >
        <p>
          {entry?.kind === 'folder' && 'This includes everything in the folder. '}
          You can restore it from the trash for seven days. Its history is kept.
        </p>
      </Confirm>
    </>
  );
}

const EMPTY_NOTE = '';
/** Codes of the errors that the field `Name` shows. */
const atPath = ['FILE_EXISTS', 'PATH_INVALID'] as const;

function NewNote(props: {
  readonly id: string;
  readonly folder: string;
  readonly onGo: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const { id, folder, onGo, onClose } = props;
  const navigate = useNavigate();
  const { data: templates = [] } = useQuery(templatesQuery(id));
  const [name, setName] = useState('');
  const [template, setTemplate] = useState(EMPTY_NOTE);
  const [key] = useState(randomKey);
  const create = useAction({
    failed: 'Could not create the note',
    atField: atPath,
    async run() {
      const body = { path: joined(folder, name.trim()), ...(template === EMPTY_NOTE ? {} : { template }) };
      const { data } = await codexApi.POST('/notebooks/{notebook}/notes', {
        params: { notebook: id },
        body,
        idempotencyKey: key,
      });
      treeOf(id).reveal(data.path);
      treeOf(id).refresh(folder);
      onClose();
      onGo();
      await navigate({ to: '/notebooks/$id/files/$file', params: { id, file: data.id } });
    },
  });
  return (
    <FormDialog
      title="Create note"
      action="Create note"
      isBusy={create.isPending}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        required
        value={name}
        onChange={setName}
        error={messageOf(create.error, ...atPath)}
        help={`Created in ${folderName(folder)}. The name may include folders, such as ideas/garden. Without an extension, .md is added.`}
      />
      {templates.length > 0 && (
        <Choice
          label="Template"
          value={template}
          options={[
            { value: EMPTY_NOTE, label: 'Empty note' },
            ...templates.map((each) => ({ value: each.path, label: each.name })),
          ]}
          onChange={setTemplate}
        />
      )}
    </FormDialog>
  );
}

function NewFolder(props: {
  readonly folder: string;
  readonly actions: TreeActions;
  readonly onClose: () => void;
}): ReactNode {
  const { folder, actions, onClose } = props;
  const [name, setName] = useState('');
  return (
    <FormDialog
      title="Create folder"
      action="Create folder"
      onSubmit={() => void actions.createFolder(joined(folder, name.trim())).then(onClose, () => undefined)}
      onClose={onClose}
    >
      <Field label="Name" required value={name} onChange={setName} help={`Created in ${folderName(folder)}.`} />
    </FormDialog>
  );
}

function MoveTo(props: {
  readonly id: string;
  readonly entry: TreeEntry;
  readonly actions: TreeActions;
  readonly onClose: () => void;
}): ReactNode {
  const { id, entry, actions, onClose } = props;
  const { data: folders = [] } = useQuery(foldersQuery(id));
  const [folder, setFolder] = useState('');
  const list = useId();
  return (
    <FormDialog
      title={`Move ${entry.name}`}
      action="Move"
      onSubmit={() => {
        onClose();
        actions.move(entry, joined(folder.trim().replaceAll(/^\/+|\/+$/gu, ''), entry.name));
      }}
      onClose={onClose}
    >
      <Field
        label="Target folder"
        value={folder}
        list={list}
        onChange={setFolder}
        help="Leave empty for the top folder. Missing folders are created, and links in other notes are updated."
      />
      <datalist id={list}>
        {folders.map(({ path }) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </FormDialog>
  );
}
