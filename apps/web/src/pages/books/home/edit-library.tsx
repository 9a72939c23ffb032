import { type ReactNode, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Library } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';

interface EditLibraryProps {
  readonly library: Library;
  readonly onClose: () => void;
}

export function EditLibrary({ library, onClose }: EditLibraryProps): ReactNode {
  const [name, setName] = useState(library.name);
  const [isRemoving, setRemoving] = useState(false);
  const params = { library: library.id };
  const rename = useAction({
    failed: 'Could not rename the library',
    touches: ['audiobooks'],
    run: () => booksApi.PATCH('/libraries/{library}', { params, body: { name } }),
  });
  const remove = useAction({
    failed: 'Could not remove the library',
    done: () => 'Library removed',
    touches: ['audiobooks'],
    run: () => booksApi.DELETE('/libraries/{library}', { params }),
  });
  if (isRemoving) {
    return (
      <Confirm
        title={`Remove ${library.name}?`}
        action="Remove library"
        isOpen
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
        onClose={() => setRemoving(false)}
      >
        <p>Its books are hidden; no files are changed. To restore them, add and scan the folder again.</p>
      </Confirm>
    );
  }
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
        <Button variant="danger" onClick={() => setRemoving(true)}>
          Remove …
        </Button>
      }
    >
      <Field label="Name" required maxLength={200} value={name} onChange={setName} />
    </FormDialog>
  );
}
