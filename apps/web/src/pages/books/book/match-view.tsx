import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { bookQuery, matchesQuery, providersQuery } from '../../../api/audiobooks-queries.ts';
import { booksApi } from '../../../api/clients.ts';
import type { Book, Match, MatchRequest, Provider } from '../../../api/types.ts';
import { count } from '../../../lib/format.ts';
import { say } from '../../../lib/toasts.ts';
import { Badge, Tag } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Choice, Field, Form } from '../../../ui/field.tsx';
import { Card, EmptyState, ListCard, Loaded, Page } from '../../../ui/page.tsx';
import { useBooksAction, useRights } from '../actions.ts';
import { BooksLink } from '../book-list.tsx';
import { lengthText } from '../book-text.ts';
import { Cover } from '../cover.tsx';
import { fieldLabel, valueText } from './fields.ts';

/** Compares a book with what providers know about it. */
export function MatchView({ id }: { readonly id: string }): ReactNode {
  const book = useQuery(bookQuery(id));
  const providers = useQuery(providersQuery);
  return (
    <Loaded query={book}>
      {({ book: found, etag }) => (
        <Page
          title="Find metadata"
          description="Compares the book with data from providers. You choose which fields to update, and you can undo the update."
          actions={
            <BooksLink view={found.id} className="text-accent-strong underline underline-offset-2">
              Back to <bdi>{found.title}</bdi>
            </BooksLink>
          }
        >
          <Loaded query={providers}>
            {(all) => (
              <>
                {all.some(({ enabled }) => enabled) && <Search book={found} etag={etag} />}
                <Providers providers={all} />
              </>
            )}
          </Loaded>
        </Page>
      )}
    </Loaded>
  );
}

/** Lists the providers. Until an administrator has enabled a provider, the title asks whether to use one. */
function Providers({ providers }: { readonly providers: readonly Provider[] }): ReactNode {
  const { manage } = useRights();
  const isNone = !providers.some(({ enabled }) => enabled);
  return (
    <ListCard
      title={isNone ? 'Ask other servers about books?' : 'Providers'}
      description={
        manage
          ? 'A provider receives data only when someone searches for a book, or asks for its chapters.'
          : 'An administrator decides which providers are enabled.'
      }
      label="Providers"
      rows={providers}
      keyOf={({ name }) => name}
      render={(provider) => <ProviderRow provider={provider} canChange={manage} />}
    />
  );
}

interface ProviderRowProps {
  readonly provider: Provider;
  readonly canChange: boolean;
}

function ProviderRow({ provider: { name, label, receives, hosts, enabled }, canChange }: ProviderRowProps): ReactNode {
  const params = { provider: name };
  const change = useBooksAction({
    failed: enabled ? 'Could not disable the provider' : 'Could not enable the provider',
    run: async () =>
      enabled
        ? await booksApi.DELETE('/providers/{provider}', { params })
        : await booksApi.PUT('/providers/{provider}', { params }),
  });
  return (
    <div className="flex flex-wrap items-center gap-3 px-5 py-2.5">
      <div className="grid min-w-48 flex-1 gap-0.5">
        <p className="font-medium">{label}</p>
        <p className="text-[13px] break-words text-muted">
          Receives {receives}. {hosts.length > 0 && `Contacts ${hosts.join(', ')}.`}
        </p>
      </div>
      {enabled && <Badge tone="good">Enabled</Badge>}
      {canChange && (
        <Button size="small" isBusy={change.isPending} onClick={() => change.mutate()}>
          {enabled ? 'Disable' : 'Enable'} {label}
        </Button>
      )}
    </div>
  );
}

interface BookProps {
  readonly book: Book;
  readonly etag: string | null;
}

const regions = ['us', 'uk', 'au', 'ca', 'de', 'es', 'fr', 'in', 'it', 'jp'] as const;

function Search({ book, etag }: BookProps): ReactNode {
  const [typed, setTyped] = useState<MatchRequest>({ region: 'us' });
  const [request, setRequest] = useState(typed);
  const matches = useQuery(matchesQuery(book.id, request));
  const change = (changed: Partial<MatchRequest>): void => setTyped({ ...typed, ...changed });
  return (
    <>
      <Card>
        <Form onSubmit={() => setRequest(typed)} className="flex flex-wrap items-end gap-3">
          <div className="min-w-48 flex-1">
            <Field
              label="Title"
              value={typed.title ?? ''}
              placeholder={book.title}
              onChange={(title) => change({ title })}
            />
          </div>
          <div className="min-w-40 flex-1">
            <Field
              label="Author"
              value={typed.author ?? ''}
              placeholder={book.authors[0]?.name ?? ''}
              onChange={(author) => change({ author })}
            />
          </div>
          <div className="w-36">
            <Field
              label="ASIN"
              value={typed.asin ?? ''}
              placeholder={book.asin ?? ''}
              spellCheck={false}
              onChange={(asin) => change({ asin })}
            />
          </div>
          <Choice
            label="Shop"
            value={typed.region}
            options={regions.map((value) => ({ value, label: value.toUpperCase() }))}
            onChange={(region) => change({ region })}
          />
          <Button type="submit" variant="primary" isBusy={matches.isFetching}>
            Search providers
          </Button>
        </Form>
      </Card>
      <Loaded query={matches}>
        {({ matches: found, problems }) => (
          <>
            {problems.map(({ provider, message }) => (
              <p key={provider} role="alert" className="text-bad">
                {message}
              </p>
            ))}
            {found.length === 0 && (
              <Card isFlush>
                <EmptyState icon={SearchX} title="No matches">
                  <p>Search for another title or author. Audnexus needs the ASIN of the book.</p>
                </EmptyState>
              </Card>
            )}
            {found.map((match) => (
              <MatchCard key={`${book.revision} ${match.id}`} book={book} etag={etag} match={match} request={request} />
            ))}
          </>
        )}
      </Loaded>
    </>
  );
}

interface MatchCardProps extends BookProps {
  readonly match: Match;
  readonly request: MatchRequest;
}

type Change = Match['changes'][number];

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

function MatchCard({ book, etag, match, request }: MatchCardProps): ReactNode {
  const { manage } = useRights();
  const { changes, confidence, title, authors, duration_ms: duration } = match;
  // Filling an empty field loses nothing, so these fields are preselected.
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    changes.filter(({ before }) => isEmpty(before)).map(({ field }) => field),
  );
  const undo = useBooksAction<string>({
    failed: 'Could not undo',
    done: () => 'Restored the previous values',
    run: (operation) => booksApi.POST('/operations/{operation}/undo', { params: { operation } }),
  });
  const apply = useBooksAction({
    failed: 'Could not apply the match',
    run: async () => {
      const { data } = await booksApi.POST('/books/{book}/matches/apply', {
        params: { book: book.id },
        ...(etag === null ? {} : { ifMatch: etag }),
        body: { ...request, match: match.id, fields: changes.map(({ field }) => field).filter(isChosen) },
      });
      const changed = `Changed ${count(data.fields.length, 'field')} of ${book.title}`;
      // Users who do not manage the library can undo changes to single fields in the book's history.
      say(changed, manage ? { label: 'Undo', run: () => undo.mutate(data.operation_id) } : undefined);
    },
  });
  const isChosen = (field: string): boolean => chosen.includes(field);
  const toggle = (field: string): void =>
    setChosen(isChosen(field) ? chosen.filter((other) => other !== field) : [...chosen, field]);
  const by = [authors.join(', '), duration === null ? '' : lengthText(duration)].filter((text) => text !== '');
  return (
    <ListCard
      title={title}
      description={by.join(' · ')}
      label={`Differences from ${title}`}
      actions={
        <div className="flex flex-wrap items-center gap-2">
          <Tag>{match.provider}</Tag>
          <Badge tone={confidence >= 80 ? 'good' : confidence >= 60 ? 'warn' : 'neutral'}>{confidence} % likely</Badge>
          <Button
            variant="primary"
            size="small"
            isBusy={apply.isPending}
            disabled={chosen.length === 0}
            onClick={() => apply.mutate()}
          >
            Apply {count(chosen.length, 'field')}
          </Button>
        </div>
      }
      rows={changes}
      keyOf={({ field }) => field}
      render={(change) => (
        <ChangeRow
          book={book}
          change={change}
          isChosen={isChosen(change.field)}
          onToggle={() => toggle(change.field)}
        />
      )}
    >
      {changes.length === 0 && <p className="px-5 pb-4 text-muted">The book already has all of these values.</p>}
    </ListCard>
  );
}

interface ChangeRowProps extends Pick<BookProps, 'book'> {
  readonly change: Change;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

function ChangeRow({ book, change: { field, before, after }, isChosen, onToggle }: ChangeRowProps): ReactNode {
  return (
    <label className="grid cursor-pointer grid-cols-[auto_6rem_minmax(0,1fr)_minmax(0,1fr)] items-start gap-3 px-5 py-2.5 hover:bg-sunken">
      <input type="checkbox" className="mt-0.5 size-4 accent-(--accent)" checked={isChosen} onChange={onToggle} />
      <span className="text-[13px] font-medium">
        {fieldLabel(field)}
        {book.locks.includes(field) && <span className="block font-normal text-muted">locked</span>}
      </span>
      {field === 'cover' ? (
        <>
          <span className="block w-24 max-w-full sm:w-40">
            <Cover book={book} size={256} />
          </span>
          <img src={String(after)} alt="Cover of the match" className="w-24 max-w-full rounded-lg sm:w-40" />
        </>
      ) : (
        <>
          <bdi className="break-words text-muted">{valueText(before)}</bdi>
          <bdi className="break-words">{valueText(after)}</bdi>
        </>
      )}
    </label>
  );
}
