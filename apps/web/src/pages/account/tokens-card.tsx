import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { accountApi } from '../../api/clients.ts';
import { tokensQuery } from '../../api/queries.ts';
import type { Token } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { Tag } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';

export function TokensCard(): ReactNode {
  const tokens = useQuery(tokensQuery);
  const [isMaking, setMaking] = useState(false);
  return (
    <Card
      title="Tokens"
      description="Let programs use this server on your behalf."
      isFlush
      actions={
        <Button variant="primary" icon={<Plus className="size-4" aria-hidden />} onClick={() => setMaking(true)}>
          Create token
        </Button>
      }
    >
      <Loaded query={tokens}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={KeyRound} title="No tokens yet">
              <p>Create a token to let a script or agent use this server without your password.</p>
            </EmptyState>
          ) : (
            <Table label="Tokens" rows={all} columns={columns} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {isMaking && <NewTokenDialog onClose={() => setMaking(false)} />}
    </Card>
  );
}

const columns: readonly Column<Token>[] = [
  {
    title: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ name }) => <span className="font-medium break-words">{name}</span>,
  },
  {
    title: 'Starts with',
    isOptional: true,
    cell: ({ starts_with: start }) => <span className="font-mono text-xs">{start}…</span>,
  },
  {
    title: 'Access',
    cell: ({ scopes }) => (
      <span className="flex flex-wrap gap-1">
        {scopes.map((scope) => (
          <Tag key={scope}>{scope}</Tag>
        ))}
      </span>
    ),
  },
  {
    title: 'Last used',
    sortBy: ({ last_used_at: at }) => at,
    cell: ({ last_used_at: at }) => (at === null ? 'never' : <Time at={at} />),
  },
  {
    title: 'Expires',
    isOptional: true,
    sortBy: ({ expires_at: at }) => at,
    cell: ({ expires_at: at }) => (at === null ? 'never' : <Time at={at} />),
  },
  {
    title: 'Revoke',
    isTitleHidden: true,
    align: 'right',
    cell: (token) => <RevokeToken token={token} />,
  },
];

function RevokeToken({ token: { id, name } }: { readonly token: Token }): ReactNode {
  const revoke = useAction({
    failed: 'Could not revoke the token',
    done: () => `Revoked ${name}`,
    touches: ['accounts'],
    run: () => accountApi.DELETE('/tokens/{id}', { params: { id } }),
  });
  return (
    <ConfirmButton
      size="small"
      variant="danger"
      aria-label={`Revoke ${name}`}
      title={`Revoke ${name}?`}
      action="Revoke token"
      mutation={revoke}
      explanation={<p>Programs that use this token lose access at once. This cannot be undone.</p>}
    >
      Revoke
    </ConfirmButton>
  );
}
