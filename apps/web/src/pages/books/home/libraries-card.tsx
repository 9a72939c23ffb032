import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Library } from '../../../api/types.ts';
import { messageOf } from '../../../lib/error-reason.ts';
import { count } from '../../../lib/format.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Time } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmButton, Dialog, FormDialog } from '../../../ui/dialog.tsx';
import { Field, Form } from '../../../ui/field.tsx';
import { FolderField } from '../../../ui/folder-field.tsx';
import { ListCard } from '../../../ui/page.tsx';
import { useBooksAction } from '../actions.ts';

export function LibrariesCard({ libraries }: { readonly libraries: readonly Library[] }): ReactNode {
  const [isAdding, setAdding] = useState(false);
  const [edited, setEdited] = useState<Library>();
  return (
    <ListCard
      title="Libraries"
      actions={
        <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
          Add library
        </Button>
      }
      rows={libraries}
      keyOf={({ id }) => id}
      render={(library) => <LibraryRow library={library} onEdit={() => setEdited(library)} />}
    >
      {isAdding && (
        <Dialog title="Add library" isOpen onClose={() => setAdding(false)}>
          <AddLibrary onDone={() => setAdding(false)} />
        </Dialog>
      )}
      {edited !== undefined && <EditLibrary library={edited} onClose={() => setEdited(undefined)} />}
    </ListCard>
  );
}

async function startScan(library: string): Promise<void> {
  await booksApi.POST('/operations/scan', { body: { library }, idempotencyKey: randomKey() });
}

function LibraryRow({ library, onEdit }: { readonly library: Library; readonly onEdit: () => void }): ReactNode {
  const { id, name, root, books, scanned_at: at } = library;
  const scan = useBooksAction({ failed: 'Could not start the scan', run: () => startScan(id) });
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3">
      <div className="grid min-w-0 flex-1 basis-56">
        <bdi className="truncate font-medium">{name}</bdi>
        <span className="truncate font-mono text-xs text-muted" title={root}>
          {root}
        </span>
      </div>
      <p className="text-[13px] text-muted tabular-nums">
        {count(books, 'book')} · {at === null ? 'never scanned' : <Time at={at} />}
      </p>
      <div className="flex gap-2">
        <Button size="small" aria-label={`Scan ${name}`} isBusy={scan.isPending} onClick={() => scan.mutate()}>
          Scan
        </Button>
        <Button size="small" variant="quiet" aria-label={`Manage ${name}`} onClick={onEdit}>
          Manage
        </Button>
      </div>
    </div>
  );
}

/** Codes of the errors that the field `Folder` shows. */
const atFolder = ['LIBRARY_NOT_FOUND', 'LIBRARY_FOLDER', 'LIBRARY_OVERLAPS'] as const;

export function AddLibrary({ onDone }: { readonly onDone?: () => void }): ReactNode {
  const [root, setRoot] = useState('');
  const [name, setName] = useState('');
  const add = useBooksAction({
    failed: 'Could not add the library',
    atField: atFolder,
    done: () => 'Library added. Scanning its books.',
    run: async () => {
      const body = { root: root.trim(), ...(name.trim() === '' ? {} : { name: name.trim() }) };
      const { data } = await booksApi.POST('/libraries', { body, idempotencyKey: randomKey() });
      await startScan(data.id);
    },
  });
  return (
    <Form aria-label="Add library" onSubmit={() => add.mutate(undefined, { onSuccess: () => onDone?.() })}>
      <FolderField
        label="Folder"
        help="Path on the server, such as /srv/audiobooks"
        error={messageOf(add.error, ...atFolder)}
        required
        value={root}
        onChange={setRoot}
      />
      <Field label="Name" help="Defaults to the folder name." maxLength={200} value={name} onChange={setName} />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" isBusy={add.isPending} disabled={root.trim() === ''}>
          Add library
        </Button>
      </div>
    </Form>
  );
}

function EditLibrary({ library, onClose }: { readonly library: Library; readonly onClose: () => void }): ReactNode {
  const [name, setName] = useState(library.name);
  const params = { library: library.id };
  const rename = useBooksAction({
    failed: 'Could not rename the library',
    run: () => booksApi.PATCH('/libraries/{library}', { params, body: { name } }),
  });
  const remove = useBooksAction({
    failed: 'Could not remove the library',
    done: () => 'Library removed',
    run: async () => {
      await booksApi.DELETE('/libraries/{library}', { params });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Library"
      description={library.root}
      action="Save changes"
      isBusy={rename.isPending}
      isDisabled={name.trim() === ''}
      onSubmit={() => rename.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
      buttons={
        <ConfirmButton
          variant="danger"
          title={`Remove ${library.name}?`}
          action="Remove library"
          mutation={remove}
          explanation="This hides its books and changes no files. To restore them, add and scan the folder again."
        >
          Remove …
        </ConfirmButton>
      }
    >
      <Field label="Name" required maxLength={200} value={name} onChange={setName} />
    </FormDialog>
  );
}
