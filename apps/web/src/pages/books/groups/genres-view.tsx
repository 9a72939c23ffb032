import type { ReactNode } from 'react';

import { Card } from '../../../ui/card.tsx';
import { Page } from '../../../ui/page.tsx';
import { GroupsList } from './groups-list.tsx';
import { inLibrary } from './groups-page.tsx';

export function View(): ReactNode {
  return (
    <Page title="Genres and tags" description="What kind of book it is, and what you call it.">
      <div className="grid items-start gap-6 md:grid-cols-2">
        <Card title="Genres" isFlush>
          <GroupsList kind="genres" label="Genres" q="" target={inLibrary('genre')} />
        </Card>
        <Card title="Tags" isFlush>
          <GroupsList
            kind="tags"
            label="Tags"
            q=""
            none="Edit a book to give it the first."
            target={inLibrary('tag')}
          />
        </Card>
      </div>
    </Page>
  );
}
