import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { codexApi } from '../../api/codex-client.ts';
import { useAction } from '../../api/use-action.ts';
import { randomKey } from '../../lib/random-key.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

export function AddNotebook({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [path, setPath] = useState('');
  const [key] = useState(randomKey);
  const add = useAction({
    failed: 'Could not add the notebook',
    done: () => `${name} is a notebook now`,
    touches: ['codex'],
    async run() {
      const body = { name: name.trim(), ...(path.trim() === '' ? {} : { path: path.trim() }) };
      const { data } = await codexApi.POST('/notebooks', { body, idempotencyKey: key });
      onClose();
      await navigate({ to: '/notebooks/$id', params: { id: String(data.id) } });
    },
  });
  return (
    <Dialog
      title="Add a notebook"
      description="A folder, new or old. What is in it already stays as it is."
      isOpen
      onClose={onClose}
    >
      <Form onSubmit={() => add.mutate()}>
        <Field
          label="Name"
          required
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
          help="How it is called here and in commands."
        />
        <Field
          label="Folder"
          value={path}
          placeholder="/home/you/notes"
          onChange={({ target }) => setPath(target.value)}
          help="The whole path on the machine of this server. Left empty, it gets a folder of its own."
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" isBusy={add.isPending}>
            Add it
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
