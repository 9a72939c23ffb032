import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Database } from 'lucide-react';
import type { ReactNode } from 'react';

import { databasesQuery } from '../../api/queries.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Choice } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Browser } from './browser.tsx';

export function Component(): ReactNode {
  const databases = useQuery(databasesQuery);
  const { name }: { readonly name?: string } = useParams({ strict: false });
  const navigate = useNavigate();
  const names = (databases.data ?? []).filter(({ kind }) => kind === 'keyspace').map((each) => each.name);
  const chosen = names.find((each) => each === name) ?? (name === undefined ? names[0] : undefined);
  return (
    <Page
      title="Keys"
      description="The stored keys and values of a keyspace, browsed like folders."
      actions={
        chosen !== undefined && (
          <div className="w-48">
            <Choice
              label="Keyspace"
              isLabelHidden
              value={chosen}
              options={names.map((each) => ({ value: each, label: each }))}
              onChange={(next) => void navigate({ to: '/keys/$name', params: { name: next } })}
            />
          </div>
        )
      }
    >
      <Loaded query={databases}>
        {() => (chosen === undefined ? <Nothing name={name} /> : <Browser key={chosen} name={chosen} />)}
      </Loaded>
    </Page>
  );
}

function Nothing({ name }: { readonly name: string | undefined }): ReactNode {
  return (
    <Card>
      <EmptyState icon={Database} title={name === undefined ? 'No keyspace yet' : `Keyspace ${name} not found`}>
        <p>A keyspace is created when its application is first used.</p>
      </EmptyState>
    </Card>
  );
}
