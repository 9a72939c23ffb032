import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { allRightsQuery, clientsQuery, librariesQuery } from '../../../api/audiobooks-queries.ts';
import { booksApi } from '../../../api/clients.ts';
import { usersQuery } from '../../../api/queries.ts';
import type { Library, UserRights } from '../../../api/types.ts';
import { Card, Loaded, Page } from '../../../ui/page.tsx';
import { roleOf } from '../../users/roles.ts';
import { useBooksAction } from '../actions.ts';

export function View(): ReactNode {
  const users = useQuery(usersQuery);
  const rights = useQuery(allRightsQuery);
  const libraries = useQuery(librariesQuery).data ?? [];
  return (
    <Page title="Access" description="Who can access which library. Administrators have full access.">
      <ClientsCard />
      <Loaded query={users}>
        {(all) => (
          <Loaded query={rights}>
            {(set) =>
              all.map(({ id, username, roles }) => (
                <UserCard
                  key={id}
                  username={username}
                  isAdmin={roleOf(roles) === 'admin'}
                  rights={set.find(({ user_id: user }) => user === id) ?? { ...unset, user_id: id, username }}
                  libraries={libraries}
                />
              ))
            }
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

/** Access for apps that were made for Audiobookshelf. */
function ClientsCard(): ReactNode {
  const clients = useQuery(clientsQuery);
  const save = useBooksAction<boolean>({
    failed: 'Could not change access for Audiobookshelf clients',
    run: (isEnabled) => (isEnabled ? booksApi.PUT('/clients', {}) : booksApi.DELETE('/clients', {})),
  });
  return (
    <Card title="Audiobookshelf clients">
      <Loaded query={clients}>
        {({ enabled, path }) => (
          <div className="grid gap-2">
            <Checkbox
              label="Let apps for Audiobookshelf connect to this server"
              isChecked={save.isPending ? save.variables : enabled}
              onToggle={() => save.mutate(!enabled)}
            />
            {enabled && (
              <p className="text-muted">
                Enter this address in the app: <bdi className="break-all">{`${window.location.origin}${path}`}</bdi>
              </p>
            )}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

/** Defaults for users without explicit rights, who are limited only by their role. */
const unset = { libraries: 'all', edit: true, download: true } as const;

interface UserCardProps {
  readonly username: string;
  readonly isAdmin: boolean;
  readonly rights: UserRights;
  readonly libraries: readonly Library[];
}

function UserCard({ username, isAdmin, rights, libraries }: UserCardProps): ReactNode {
  const save = useBooksAction<Partial<UserRights>>({
    failed: `Could not change access for ${username}`,
    run: (change) =>
      booksApi.PUT('/rights/{user_id}', {
        params: { user_id: rights.user_id },
        body: { libraries: rights.libraries, edit: rights.edit, download: rights.download, ...change },
      }),
  });
  // Shows the new state of a checkbox while it is being saved.
  const { libraries: seen, edit, download } = { ...rights, ...(save.isPending ? save.variables : {}) };
  const isSeen = (id: string): boolean => seen === 'all' || seen.includes(id);
  const toggle = (id: string): void => {
    const now = seen === 'all' ? libraries.map((library) => library.id) : seen;
    save.mutate({ libraries: now.includes(id) ? now.filter((each) => each !== id) : [...now, id] });
  };
  if (isAdmin) {
    return (
      <Card title={username}>
        <p className="text-muted">Administrator: full access to all libraries</p>
      </Card>
    );
  }
  return (
    <Card title={username}>
      <div className="grid gap-4 sm:grid-cols-2">
        <fieldset className="grid content-start gap-1.5" disabled={save.isPending}>
          <legend className="pb-1 text-[13px] font-medium">Libraries</legend>
          <Checkbox
            label="All libraries, including future ones"
            isChecked={seen === 'all'}
            onToggle={() => save.mutate({ libraries: seen === 'all' ? libraries.map(({ id }) => id) : 'all' })}
          />
          {libraries.map(({ id, name }) => (
            <Checkbox key={id} label={name} isChecked={isSeen(id)} onToggle={() => toggle(id)} />
          ))}
        </fieldset>
        <fieldset className="grid content-start gap-1.5" disabled={save.isPending}>
          <legend className="pb-1 text-[13px] font-medium">Permissions</legend>
          <Checkbox label="Edit book details" isChecked={edit} onToggle={() => save.mutate({ edit: !edit })} />
          <Checkbox label="Download files" isChecked={download} onToggle={() => save.mutate({ download: !download })} />
        </fieldset>
      </div>
    </Card>
  );
}

interface CheckboxProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onToggle: () => void;
}

function Checkbox({ label, isChecked, onToggle }: CheckboxProps): ReactNode {
  return (
    <label className="flex cursor-pointer items-center gap-2.5">
      <input type="checkbox" className="size-4 accent-(--accent)" checked={isChecked} onChange={onToggle} />
      <bdi className="min-w-0 break-words">{label}</bdi>
    </label>
  );
}
