import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { ringmasterApi } from '../../api/clients.ts';
import { useAction } from '../../api/use-action.ts';
import { messageOf } from '../../lib/error-reason.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FolderField } from '../../ui/folder-field.tsx';

export function AddProject({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const [path, setPath] = useState('');
  const [name, setName] = useState('');
  const add = useAction({
    failed: 'Could not add the project',
    atField: ['WORKSPACE_FOLDER'],
    done: () => `Added: ${name}`,
    touches: ['ringmaster'],
    async run() {
      const { data } = await ringmasterApi.POST('/workspaces', { body: { path: path.trim(), name: name.trim() } });
      onClose();
      await navigate({ to: '/ringmaster/$workspace/$view', params: { workspace: data.id, view: 'board' } });
    },
  });
  return (
    <FormDialog
      title="Add project"
      description="Workers work in a project&rsquo;s directory, usually a git repository."
      action="Add project"
      isBusy={add.isPending}
      isDisabled={path.trim() === '' || name.trim() === ''}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <FolderField
        label="Directory"
        required
        help="Path on the server. Holdfast adds ringmaster.toml and .ringmaster there."
        error={messageOf(add.error, 'WORKSPACE_FOLDER')}
        value={path}
        onChange={setPath}
      />
      <Field label="Name" required maxLength={200} value={name} onChange={setName} />
    </FormDialog>
  );
}
