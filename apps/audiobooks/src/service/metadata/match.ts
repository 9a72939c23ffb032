import { isHoldfastError } from '@holdfast/base';
import type { Reads } from '@holdfast/keyspace';
import type { Caller, ObjectValue } from '@holdfast/operation';
import type { Book } from '../../model/book.ts';
import type { BookField, ProviderName } from '../../model/choices.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { fieldValues, sameValue } from '../../model/fields.ts';
import { confidenceOf, type FoundBook, type MetadataQuery } from '../../model/metadata.ts';
import type { matchApplied, matchQuery } from '../../operations/metadata.ts';
import { writeBook } from '../../store/books.ts';
import { assets, providerSettings } from '../../store/definitions.ts';
import { resizeImage } from '../../adapters/resize-image.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { changeAtOnce, setFields } from '../changes/change.ts';
import { type StoredPicture, storePicture } from '../changes/replace-cover.ts';
import { listenerOf, requireEdit, visibleBook } from '../listener.ts';
import { resolveBook } from '../queries/resolve.ts';
import { coverAddress } from '../views.ts';
import type { Provider } from './providers.ts';

async function enabledNames(reads: Reads): Promise<readonly ProviderName[]> {
  return (await reads.get(providerSettings, {}))?.enabled ?? [];
}

export async function listProviders({ metadata, store }: Audiobooks) {
  const enabled = await enabledNames(store);
  return {
    data: metadata.all().map(({ name, label, hosts, receives }) => ({
      name,
      label,
      hosts: [...hosts],
      receives,
      enabled: enabled.includes(name),
    })),
  };
}

interface ByProvider {
  readonly provider: ProviderName;
}

export function enableProvider(audiobooks: Audiobooks, { provider }: ByProvider) {
  if (!audiobooks.metadata.all().some(({ name }) => name === provider)) {
    throw audiobookErrors.PROVIDER_DISABLED('This server has no command.', {
      hint: "On the server, choose one with 'holdfast audiobooks provider command PROGRAM'.",
    });
  }
  return setProvider(audiobooks, provider, true);
}

export function disableProvider(audiobooks: Audiobooks, { provider }: ByProvider) {
  return setProvider(audiobooks, provider, false);
}

async function setProvider(audiobooks: Audiobooks, provider: ProviderName, isEnabled: boolean) {
  await audiobooks.store.transact(async (tx) => {
    const others = (await enabledNames(tx)).filter((name) => name !== provider);
    await tx.put(providerSettings, {}, { enabled: isEnabled ? [...others, provider] : others, version: 1 });
  });
  return listProviders(audiobooks);
}

async function enabledProviders({ metadata, store }: Audiobooks): Promise<readonly Provider[]> {
  const enabled = await enabledNames(store);
  const found = metadata.all().filter(({ name }) => enabled.includes(name));
  if (found.length === 0) throw audiobookErrors.PROVIDER_DISABLED('No provider is enabled.');
  return found;
}

type Query = Omit<ObjectValue<typeof matchQuery>, 'book'>;

function queryFor(book: Book, { title, author, asin, region }: Query): MetadataQuery {
  const isChanged = title !== undefined || author !== undefined;
  return {
    title: title ?? book.title,
    authors: author === undefined ? book.authors.map(({ name }) => name) : [author],
    // If a person searches for another title, the ISBN and ASIN of this book would find the wrong book.
    isbn: isChanged ? null : (book.isbn13 ?? book.isbn10),
    asin: asin ?? (isChanged ? null : book.asin),
    durationMs: book.duration_ms,
    region,
  };
}

interface Found extends FoundBook {
  readonly confidence: number;
}

async function find(provider: Provider, query: MetadataQuery): Promise<readonly Found[]> {
  const books = await provider.search(query);
  return books.map((found) => ({ ...found, confidence: confidenceOf(query, found) }));
}

/** Asks all enabled providers at once. A provider that fails does not hide the other providers' matches. */
export async function searchMatches(audiobooks: Audiobooks, input: ObjectValue<typeof matchQuery>, caller: Caller) {
  const book = await editableBook(audiobooks, input.book, caller);
  const query = queryFor(book, input);
  const found: Found[] = [];
  const problems: { provider: ProviderName; message: string }[] = [];
  const asked = (await enabledProviders(audiobooks)).map(async (provider) => {
    try {
      found.push(...(await find(provider, query)));
    } catch (error) {
      if (!isHoldfastError(error)) throw error;
      problems.push({ provider: provider.name, message: error.message });
    }
  });
  await Promise.all(asked);
  found.sort((left, right) => right.confidence - left.confidence || (left.id < right.id ? -1 : 1));
  return { matches: found.map((each) => matchView(book, each)), problems };
}

function matchView(book: Book, found: Found) {
  const { id, provider, confidence, fields, durationMs } = found;
  return {
    id,
    provider,
    confidence,
    title: fields.title ?? '',
    authors: [...(fields.authors ?? [])],
    duration_ms: durationMs ?? null,
    changes: changesOf(book, found),
  };
}

interface FieldChange {
  readonly field: BookField;
  readonly before: unknown;
  readonly after: unknown;
}

/** Lists the fields that would change. For covers, the values are picture URLs, which a person compares by eye. */
function changesOf(book: Book, { fields, coverUrl, provider }: FoundBook): FieldChange[] {
  const current = fieldValues(book);
  const changes = (Object.keys(fields) as BookField[])
    .map((field) => ({ field, before: current[field], after: fields[field] as unknown }))
    .filter(({ before, after }) => !sameValue(before, after));
  if (coverUrl === undefined) return changes;
  const after = `/api/audiobooks/matches/cover?${new URLSearchParams({ provider, url: coverUrl }).toString()}`;
  return [...changes, { field: 'cover' as const, before: coverAddress(book), after }];
}

const PREVIEW_PIXELS = 512;

/** Returns a small version of a picture that a provider named. Requests it only from enabled providers' hosts. */
export async function previewCover(
  audiobooks: Audiobooks,
  { provider: name, url }: ByProvider & { readonly url: string },
): Promise<Uint8Array> {
  const provider = (await enabledProviders(audiobooks)).find((each) => each.name === name);
  const bytes = provider === undefined ? undefined : await audiobooks.metadata.cover(provider, url);
  const picture = bytes === undefined ? undefined : await resizeImage(bytes, PREVIEW_PIXELS);
  if (picture === undefined) throw audiobookErrors.COVER_NOT_FOUND('The provider has no such picture.');
  return picture;
}

/** Applies the chosen fields of a match, locks them, and records this as one operation, which can be undone. */
export async function applyMatch(audiobooks: Audiobooks, input: ObjectValue<typeof matchApplied>, caller: Caller) {
  const planned = await editableBook(audiobooks, input.book, caller);
  const provider = (await enabledProviders(audiobooks)).find(({ name }) => input.match.startsWith(`${name}:`));
  const found = provider && (await find(provider, queryFor(planned, input))).find(({ id }) => id === input.match);
  if (provider === undefined || found === undefined) {
    throw audiobookErrors.MATCH_NOT_FOUND(`There is no match ${input.match} for ${planned.title}.`);
  }
  const changes = changesOf(planned, found);
  const chosen = changes.filter(({ field }) => input.fields.length === 0 || input.fields.includes(field));
  if (chosen.length === 0) throw audiobookErrors.FIELD_INVALID('The match changes none of these fields.');
  const hasCover = chosen.some(({ field }) => field === 'cover');
  const picture = hasCover ? await pictureOf(audiobooks, provider, planned, found) : undefined;
  try {
    return await writeChosen(audiobooks, { input, caller, chosen, picture, bookId: planned.id });
  } catch (error) {
    await picture?.discard();
    throw error;
  }
}

async function pictureOf(
  audiobooks: Audiobooks,
  provider: Provider,
  book: Book,
  { coverUrl = '' }: FoundBook,
): Promise<StoredPicture> {
  const bytes = await audiobooks.metadata.cover(provider, coverUrl);
  if (bytes === undefined) throw audiobookErrors.COVER_NOT_FOUND('The provider has no such picture.');
  return storePicture(audiobooks, book, bytes);
}

interface Chosen {
  readonly input: ObjectValue<typeof matchApplied>;
  readonly caller: Caller;
  readonly chosen: readonly FieldChange[];
  readonly picture: StoredPicture | undefined;
  readonly bookId: string;
}

async function writeChosen(audiobooks: Audiobooks, { input, caller, chosen, picture, bookId }: Chosen) {
  const fields = chosen.map(({ field }) => field);
  const request = {
    type: 'edit',
    params: { book: bookId, match: input.match, fields },
    createdBy: caller.name,
  } as const;
  const { value, operation } = await changeAtOnce(audiobooks, request, async ({ tx, editor }) => {
    const before = await resolveBook(tx, bookId);
    if (input.if_revision !== undefined && input.if_revision !== before.revision) {
      throw audiobookErrors.REVISION_STALE(`The book has revision ${before.revision}.`);
    }
    if (picture !== undefined) await tx.put(assets, { id: picture.asset.id }, picture.asset);
    const values = chosen.map(({ field, after }) => [field, field === 'cover' ? picture?.asset.id : after] as const);
    const sources = Object.fromEntries(fields.map((field) => [field, 'provider' as const]));
    const edited = await setFields(tx, before, Object.fromEntries(values), sources, editor);
    const locks = [...new Set([...before.locks, ...fields])].sort();
    const book = await writeBook(tx, before, { ...edited, locks }, editor);
    return {
      value: book,
      result: { books: [book.id], locks: [{ book: book.id, before: before.locks, after: locks }] },
    };
  });
  return { fields, revision: value.revision, operation_id: operation.id };
}

/** Asks one provider after another for the chapters of a book. Changes nothing. */
export async function findChapters(audiobooks: Audiobooks, input: ObjectValue<typeof matchQuery>, caller: Caller) {
  const book = await editableBook(audiobooks, input.book, caller);
  const query = queryFor(book, input);
  for (const provider of await enabledProviders(audiobooks)) {
    const found = await provider.chapters?.(query);
    const marks = found?.marks.filter(({ startMs }) => startMs < book.duration_ms) ?? [];
    if (found === undefined || marks.length === 0) continue;
    return {
      provider: provider.name,
      duration_ms: found.durationMs ?? null,
      // The first chapter of a book starts with the book.
      data: marks.map(({ title, startMs }, index) => ({ title, start_ms: index === 0 ? 0 : startMs })),
    };
  }
  throw audiobookErrors.MATCH_NOT_FOUND(`No enabled provider has chapters for ${book.title}.`, {
    hint: 'Audnexus needs an ASIN. Add it to the book, or enter it in the search.',
  });
}

async function editableBook(audiobooks: Audiobooks, given: string, caller: Caller): Promise<Book> {
  const listener = await listenerOf(audiobooks, caller);
  const book = await visibleBook(audiobooks.store, listener, given);
  requireEdit(listener);
  return book;
}
