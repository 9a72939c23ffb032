import type { ReactNode, Ref } from 'react';

import type { ListeningYear } from '../../../api/types.ts';
import { hueOf, initialsOf } from '../initials.ts';

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
export function Poster({ review, name, ref }: PosterProps): ReactNode {
  const hours = Math.floor(review.listen_seconds / 3_600);
  const isShort = hours === 0;
  const minutes = Math.ceil(review.listen_seconds / 60);
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
        {isShort ? minutes : hours.toLocaleString('en')}
      </text>
      <text x={EDGE} y={390} fontSize={44} fontWeight={600} fill="#ffffff">
        {isShort ? (minutes === 1 ? 'minute' : 'minutes') : hours === 1 ? 'hour' : 'hours'} in {review.year}
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
    [review.streak_days, review.streak_days === 1 ? 'day streak' : 'day streak'],
  ] as const;
  return facts.map(([value, words], at) => (
    <g key={words} transform={`translate(${EDGE + (at * INNER) / 3} 490)`}>
      <text fontSize={64} fontWeight={700} fill="#fbd38d">
        {value.toLocaleString('en')}
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

/** SVG text has no ellipsis of its own. */
function shortened(text: string, atMost: number): string {
  const all = [...graphemes.segment(text)].map(({ segment }) => segment);
  return all.length <= atMost
    ? text
    : `${all
        .slice(0, atMost - 1)
        .join('')
        .trimEnd()}…`;
}
