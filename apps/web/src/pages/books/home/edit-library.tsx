import { type ReactNode, useState } from 'react';

import { booksApi } from '../../../api/audiobooks-client.ts';
import type { Library } from '../../../api/audiobooks-types.ts';
import { useAction } from '../../../api/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';

interface EditLibraryProps {
  readonly library: Library;
  readonly onClose: () => void;
}

export function EditLibrary({ library, onClose }: EditLibraryProps): ReactNode {
  const [name, setName] = useState(library.name);
  const [isRemoving, setRemoving] = useState(false);
  const params = { id: library.id };
  const rename = useAction({
    failed: 'Could not rename the library',
    touches: ['audiobooks'],
    run: () => booksApi.PATCH('/libraries/{id}', { params, body: { name } }),
  });
  const remove = useAction({
    failed: 'Could not remove the library',
    done: () => 'The library is no longer shown',
    touches: ['audiobooks'],
    run: () => booksApi.DELETE('/libraries/{id}', { params }),
  });
  if (isRemoving) {
    return (
      <Confirm
        title={`Remove ${library.name}?`}
        action="Remove"
        isOpen
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
        onClose={() => setRemoving(false)}
      >
        <p>Its books are no longer shown. No file is touched: add the folder again and scan it to have them back.</p>
      </Confirm>
    );
  }
  return (
    <Dialog title="Library" description={library.root} isOpen onClose={onClose}>
      <Form onSubmit={() => rename.mutate(undefined, { onSuccess: onClose })}>
        <Field label="Name" required maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
        <DialogActions>
          <Button look="danger" onClick={() => setRemoving(true)}>
            Remove
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={rename.isPending} disabled={name.trim() === ''}>
            Save
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
