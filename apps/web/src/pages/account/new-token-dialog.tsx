import { type ReactNode, useState } from 'react';

import { accountApi } from '../../api/clients.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

const scopes = [
  { value: 'read', label: 'Read: everything you can read' },
  { value: 'write', label: 'Write: read and change, without administration' },
  { value: 'admin', label: 'Admin: everything you can do' },
] as const;

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: '', label: 'Until revoked' },
] as const;

export function NewTokenDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<(typeof scopes)[number]['value']>('write');
  const [days, setDays] = useState<(typeof lifetimes)[number]['value']>('90');
  const create = useAction<void, string>({
    failed: 'Could not create the token',
    touches: ['accounts'],
    run: async () => {
      const expiry = days === '' ? {} : { days: Number(days) };
      const { data } = await accountApi.POST('/tokens', { body: { name, scopes: [scope], ...expiry } });
      return data.secret;
    },
  });
  if (create.data !== undefined) return <CreatedToken secret={create.data} onClose={onClose} />;
  return (
    <FormDialog
      title="Create token"
      description="For a script, an agent or another machine."
      action="Create token"
      isBusy={create.isPending}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        help="The program that will use the token."
        required
        maxLength={64}
        value={name}
        onChange={setName}
      />
      <Choice label="Access" value={scope} options={scopes} onChange={setScope} />
      <Choice label="Valid for" value={days} options={lifetimes} onChange={setDays} />
    </FormDialog>
  );
}

function CreatedToken({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }): ReactNode {
  return (
    <Dialog
      title="Copy the token now"
      description="It is shown only once: Holdfast stores just a hash of it."
      isOpen
      onClose={onClose}
    >
      <div className="flex items-center gap-2 rounded-lg bg-sunken p-3 font-mono text-[13px]">
        <code className="min-w-0 flex-1 break-all">{secret}</code>
        <CopyButton text={secret} label="Copy token" />
      </div>
      <p className="mt-3 text-[13px] text-muted">
        Programs send it in the header <code className="font-mono">Authorization: Bearer …</code>.
      </p>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
