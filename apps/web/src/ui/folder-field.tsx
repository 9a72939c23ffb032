import { useQuery } from '@tanstack/react-query';
import { CornerLeftUp, Folder } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { foldersQuery } from '../api/queries.ts';
import { useMay } from '../lib/permissions.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { NotLoaded } from './page.tsx';

interface FolderFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (path: string) => void;
  readonly help?: string;
  readonly error?: string | undefined;
  readonly required?: boolean;
}

/** The path of a folder on the server, typed or chosen. Only administrators may browse the folders on the server. */
export function FolderField(props: FolderFieldProps): ReactNode {
  const { value, onChange } = props;
  const mayChoose = useMay('system:read');
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="grid gap-2">
      <Field
        {...props}
        className="font-mono"
        spellCheck={false}
        action={
          mayChoose && (
            <Button size="small" variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Hide folders' : 'Choose …'}
            </Button>
          )
        }
      />
      {isOpen && <FolderList path={value} onChoose={onChange} />}
    </div>
  );
}

const rowClass = 'flex min-h-9 w-full items-center gap-2 px-3 text-left -outline-offset-2 hover:bg-sunken';

function FolderList({
  path,
  onChoose,
}: {
  readonly path: string;
  readonly onChoose: (path: string) => void;
}): ReactNode {
  // If the server does not offer the typed path, shows the folders that it offers.
  const typed = useQuery({ ...foldersQuery(path), enabled: path !== '', retry: false });
  const offered = useQuery({ ...foldersQuery(''), enabled: path === '' || typed.isError });
  const query = path === '' || typed.isError ? offered : typed;
  if (query.data === undefined) return <NotLoaded query={query} />;
  const { parent, folders } = query.data;
  return (
    <ul aria-label="Folders" className="max-h-60 overflow-y-auto rounded-lg border border-line">
      {parent !== null && (
        <li>
          <button type="button" className={rowClass} onClick={() => onChoose(parent)}>
            <CornerLeftUp className="size-4 shrink-0 text-muted" aria-hidden />
            Parent folder
          </button>
        </li>
      )}
      {folders.map((folder) => (
        <li key={folder.path}>
          <button type="button" className={rowClass} onClick={() => onChoose(folder.path)}>
            <Folder className="size-4 shrink-0 text-muted" aria-hidden />
            <bdi className="truncate">{folder.name}</bdi>
          </button>
        </li>
      ))}
      {folders.length === 0 && <li className="px-3 py-2 text-muted">No folders inside</li>}
    </ul>
  );
}
