import { type ReactNode, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Library } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { startScan } from './use-scan.ts';

/** Adds a folder as a library and scans it. */
export function AddLibrary({ onDone }: { readonly onDone?: () => void }): ReactNode {
  const [root, setRoot] = useState('');
  const [name, setName] = useState('');
  const add = useAction({
    failed: 'Could not add the library',
    done: () => 'Library added. Scanning its books.',
    touches: ['audiobooks'],
    run: async () => {
      const body = { root: root.trim(), ...(name.trim() === '' ? {} : { name: name.trim() }) };
      const made: Library = (await booksApi.POST('/libraries', { body, idempotencyKey: randomKey() })).data;
      await startScan(made.id);
    },
  });
  return (
    <Form aria-label="Add library" onSubmit={() => add.mutate(undefined, { onSuccess: () => onDone?.() })}>
      <Field
        label="Folder"
        help="Path on the server, such as /srv/audiobooks"
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
