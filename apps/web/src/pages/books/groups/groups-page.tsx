import { type ReactNode, useCallback } from 'react';

import type { GroupKind } from '../../../api/audiobooks-queries.ts';
import type { Group } from '../../../api/types.ts';
import { useFilters } from '../../../lib/search.ts';
import { Card } from '../../../ui/card.tsx';
import { Page } from '../../../ui/page.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { GroupsList } from './groups-list.tsx';

interface GroupsPageProps {
  readonly kind: GroupKind;
  readonly title: string;
  readonly description: string;
  readonly target: Parameters<typeof GroupsList>[0]['target'];
}

export function GroupsPage({ kind, title, description, target }: GroupsPageProps): ReactNode {
  const [{ q = '' }, change] = useFilters();
  const search = useCallback((next: string) => change({ q: next }), [change]);
  return (
    <Page title={title} description={description}>
      <SearchBox label={`Search ${title.toLowerCase()}`} value={q} onChange={search} />
      <Card isFlush>
        <GroupsList kind={kind} label={title} q={q} target={target} />
      </Card>
    </Page>
  );
}

/** To the books of a name that has no page of its own. */
export function inLibrary(field: string): (group: Group) => { view: string; search: Readonly<Record<string, string>> } {
  return ({ name }) => ({ view: 'library', search: { [field]: name } });
}
