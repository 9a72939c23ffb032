import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { codexApi } from '../../api/clients.ts';
import { useAction } from '../../api/use-action.ts';
import { randomKey } from '../../lib/random-key.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

export function AddNotebook({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [path, setPath] = useState('');
  const [key] = useState(randomKey);
  const add = useAction({
    failed: 'Could not add the notebook',
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
      />
      <Field
        label="Folder"
        value={path}
        placeholder="/home/you/notes"
        onChange={setPath}
        help="Absolute path on the server. Leave it empty to create a folder in the data directory."
      />
    </FormDialog>
  );
}
