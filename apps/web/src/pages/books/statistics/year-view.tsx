import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Download, type LucideIcon, Printer } from 'lucide-react';
import { type ReactNode, type Ref, useRef } from 'react';

import { yearQuery } from '../../../api/audiobooks-queries.ts';
import type { ListeningYear } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { count, dayText } from '../../../lib/format.ts';
import { useMe } from '../../../lib/permissions.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card, Loaded, Page } from '../../../ui/page.tsx';
import { BooksLink } from '../book-list.tsx';
import { headlineLength, lengthText } from '../book-text.ts';
import { hueOf, initialsOf } from '../cover.tsx';
import { timeOf } from './calendar.ts';

export function YearView({ year }: { readonly year: number }): ReactNode {
  const review = useQuery(yearQuery(year));
  const name = useMe()?.user.username ?? '';
  const poster = useRef<SVGSVGElement>(null);
  const save = useAction({
    failed: 'Could not save the image',
    run: async () => {
      if (poster.current !== null) await savePicture(poster.current, `${year}-in-audiobooks.png`);
    },
  });
  return (
    <Page
      title={`Your ${year}`}
      actions={
        <div className="flex flex-wrap gap-2 print:hidden">
          <YearLink year={year - 1} label="Previous year" icon={ChevronLeft} />
          <YearLink year={year + 1} label="Next year" icon={ChevronRight} />
          <Button icon={Printer} onClick={() => window.print()}>
            Print poster
          </Button>
          <Button variant="primary" icon={Download} isBusy={save.isPending} onClick={() => save.mutate()}>
            Save image
          </Button>
        </div>
      }
    >
      <Loaded query={review}>
        {(found) => (
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] print:block">
            <Poster review={found} name={name} ref={poster} />
            <div className="print:hidden">
              <Summary review={found} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

interface YearLinkProps {
  readonly year: number;
  readonly label: string;
  readonly icon: LucideIcon;
}

function YearLink({ year, label, icon: Icon }: YearLinkProps): ReactNode {
  return (
    <BooksLink
      view="statistics"
      id={String(year)}
      aria-label={`${label}, ${year}`}
      title={label}
      className={buttonClass()}
    >
      <Icon className="size-4" aria-hidden />
    </BooksLink>
  );
}

/** The poster's content for screen readers, with further details. */
function Summary({ review }: { readonly review: ListeningYear }): ReactNode {
  const day = review.longest_day;
  const books = review.books.slice(0, SHOWN);
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['Listened', lengthText(review.listen_seconds * 1_000)],
    ['Books finished', count(review.finished)],
    ['Listening days', count(review.days_listened)],
    ['Longest streak', count(review.streak_days, 'day')],
    ['Longest day', day && `${dayText(timeOf(day.date))}, ${lengthText(day.seconds * 1_000)}`],
    ['Most listened author', review.authors[0]?.name],
    ['Most listened narrator', review.narrators[0]?.name],
    ['First book', review.first_book?.title],
    ['Last book', review.last_book?.title],
    ...books.map(
      ({ book, seconds }, at) =>
        [`Book ${at + 1}`, `${book?.title ?? 'Deleted book'}, ${lengthText(seconds * 1_000)}`] as const,
    ),
  ];
  return (
    <Card title="Summary">
      <dl className="grid gap-2">
        {facts
          .filter(([, value]) => typeof value === 'string')
          .map(([name, value]) => (
            <div key={name} className="flex flex-wrap justify-between gap-x-4">
              <dt className="text-muted">{name}</dt>
              <dd className="font-medium break-words">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}

const WIDTH = 1_080;
const HEIGHT = 1_350;
const EDGE = 80;
const INNER = WIDTH - 2 * EDGE;
const SHOWN = 5;

interface PosterProps {
  readonly review: ListeningYear;
  readonly name: string;
  readonly ref: Ref<SVGSVGElement>;
}

/** A year on one page, with fixed colours, so that it looks the same when printed or shared. */
function Poster({ review, name, ref }: PosterProps): ReactNode {
  const [number, unit] = headlineLength(review.listen_seconds * 1_000);
  return (
    <svg
      ref={ref}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      xmlns="http://www.w3.org/2000/svg"
      role="img"
      aria-label={`${review.year} in audiobooks. A text version follows.`}
      fontFamily="'Inter Variable', Inter, system-ui, sans-serif"
      className="h-auto w-full rounded-2xl shadow-xl print:rounded-none print:shadow-none"
    >
      <defs>
        <linearGradient id="sky" x1="0" y1="0" x2="0.6" y2="1">
          <stop offset="0" stopColor="#0b3b39" />
          <stop offset="0.55" stopColor="#0f5f58" />
          <stop offset="1" stopColor="#06201f" />
        </linearGradient>
      </defs>
      <rect width={WIDTH} height={HEIGHT} fill="url(#sky)" />
      <circle cx={WIDTH - 60} cy={120} r={330} fill="#2dd4bf" opacity={0.12} />
      <circle cx={WIDTH - 150} cy={40} r={200} fill="#fbbf5c" opacity={0.16} />
      <text x={EDGE} y={140} fontSize={40} fill="#9fe3d9">
        {shortened(name, 24)} listened
      </text>
      <text x={EDGE - 6} y={325} fontSize={200} fontWeight={700} fill="#ffffff" letterSpacing={-8}>
        {number.toLocaleString()}
      </text>
      <text x={EDGE} y={390} fontSize={44} fontWeight={600} fill="#ffffff">
        {unit} in {review.year}
      </text>
      <Facts review={review} />
      <Months review={review} />
      <Books review={review} />
      <text x={EDGE} y={HEIGHT - 46} fontSize={24} fill="#9fe3d9">
        Holdfast
      </text>
    </svg>
  );
}

function Facts({ review }: { readonly review: ListeningYear }): ReactNode {
  const facts = [
    [review.finished, review.finished === 1 ? 'book finished' : 'books finished'],
    [review.days_listened, review.days_listened === 1 ? 'listening day' : 'listening days'],
    [review.streak_days, 'day streak'],
  ] as const;
  return facts.map(([value, words], at) => (
    <g key={words} transform={`translate(${EDGE + (at * INNER) / 3} 490)`}>
      <text fontSize={64} fontWeight={700} fill="#fbd38d">
        {value.toLocaleString()}
      </text>
      <text y={40} fontSize={26} fill="#d5f5f0">
        {words}
      </text>
    </g>
  ));
}

const letters = ['J', 'F', 'M', 'A', 'M', 'J', 'J', 'A', 'S', 'O', 'N', 'D'] as const;
const BARS = 150;

function Months({ review: { months } }: { readonly review: ListeningYear }): ReactNode {
  const most = Math.max(1, ...months.map(({ seconds }) => seconds));
  const step = INNER / months.length;
  return (
    <g transform={`translate(${EDGE} 590)`}>
      {months.map(({ month, seconds }, at) => {
        const height = seconds === 0 ? 4 : Math.max(10, (seconds / most) * BARS);
        return (
          <g key={month} transform={`translate(${at * step} 0)`}>
            <rect
              y={BARS - height}
              width={step - 18}
              height={height}
              rx={Math.min(8, height / 2)}
              fill="#2dd4bf"
              opacity={seconds === 0 ? 0.35 : 1}
            />
            <text x={(step - 18) / 2} y={BARS + 34} fontSize={22} textAnchor="middle" fill="#9fe3d9">
              {letters[at]}
            </text>
          </g>
        );
      })}
    </g>
  );
}

const ROW = 96;
const COVER = 76;

function Books({ review: { books } }: { readonly review: ListeningYear }): ReactNode {
  const shown = books.filter(({ book }) => book !== null).slice(0, SHOWN);
  return shown.map(({ book, seconds }, at) => (
    <g key={book?.id} transform={`translate(${EDGE} ${815 + at * ROW})`}>
      <clipPath id={`cover-${at}`}>
        <rect width={COVER} height={COVER} rx={12} />
      </clipPath>
      <g clipPath={`url(#cover-${at})`}>
        <rect width={COVER} height={COVER} fill={`hsl(${hueOf(book?.title ?? '')} 38% 30%)`} />
        <text x={COVER / 2} y={COVER / 2 + 11} fontSize={30} fontWeight={600} textAnchor="middle" fill="#fff">
          {initialsOf(book?.title ?? '')}
        </text>
        {book?.cover !== null && (
          <image
            href={`${book?.cover ?? ''}&size=256`}
            width={COVER}
            height={COVER}
            preserveAspectRatio="xMidYMid slice"
          />
        )}
      </g>
      <text x={COVER + 26} y={34} fontSize={30} fontWeight={600} fill="#ffffff">
        {shortened(book?.title ?? '', 36)}
      </text>
      <text x={COVER + 26} y={68} fontSize={24} fill="#9fe3d9">
        {shortened(book?.authors.map(({ name }) => name).join(', ') ?? '', 44)}
      </text>
      <text x={INNER} y={48} fontSize={28} textAnchor="end" fill="#fbd38d">
        {timeText(seconds)}
      </text>
    </g>
  ));
}

function timeText(seconds: number): string {
  const hours = seconds / 3_600;
  return hours < 1 ? `${Math.max(1, Math.round(seconds / 60))} min` : `${Math.round(hours)} h`;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Shortens the text and adds an ellipsis, because SVG cannot truncate text. */
function shortened(text: string, atMost: number): string {
  const all = [...graphemes.segment(text)].map(({ segment }) => segment);
  const start = all.slice(0, atMost - 1).join('');
  return all.length <= atMost ? text : `${start.trimEnd()}…`;
}

async function savePicture(svg: SVGSVGElement, name: string): Promise<void> {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  // An SVG image cannot load other resources, so the covers are embedded.
  await Promise.all([...copy.querySelectorAll('image')].map(withContent));
  const text = new XMLSerializer().serializeToString(copy);
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    if (picture !== null) download(picture, name);
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function withContent(image: SVGImageElement): Promise<void> {
  try {
    const response = await fetch(image.href.baseVal);
    if (!response.ok) return image.remove();
    const content = await response.blob();
    const data = await new Promise<string>((done, fail) => {
      const reader = new FileReader();
      reader.addEventListener('load', () => done(reader.result as string));
      reader.addEventListener('error', () => fail(new Error('Could not read the cover')));
      reader.readAsDataURL(content);
    });
    image.setAttribute('href', data);
  } catch {
    // Removes the image, so that the initials behind it become visible.
    image.remove();
  }
}

function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
