import { type ReactNode, useState } from 'react';

import type { BookRow } from '../../api/types.ts';

interface CoverProps {
  readonly book: Pick<BookRow, 'title' | 'cover'>;
  /** Width in pixels that the server renders. */
  readonly size: 96 | 256 | 512 | 1024;
}

/** The cover, or initials on a coloured background. Hidden from screen readers: the title is next to it. */
export function Cover({ book: { title, cover }, size }: CoverProps): ReactNode {
  const [failed, setFailed] = useState<string>();
  const isShown = cover !== null && failed !== cover;
  return (
    <span aria-hidden className="relative block aspect-square w-full overflow-hidden rounded-lg bg-sunken">
      {isShown ? (
        <img
          src={`${cover}&size=${size}`}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailed(cover)}
          className="absolute inset-0 size-full object-cover"
        />
      ) : (
        <Letters title={title} isSmall={size === 96} />
      )}
    </span>
  );
}

function Letters({ title, isSmall }: { readonly title: string; readonly isSmall: boolean }): ReactNode {
  const hue = hueOf(title);
  return (
    <svg viewBox="0 0 100 100" className="absolute inset-0 size-full">
      <rect width="100" height="100" fill={`hsl(${hue} 38% 27%)`} />
      <circle cx="78" cy="22" r="46" fill={`hsl(${(hue + 28) % 360} 42% 33%)`} />
      <path d="M0 78 Q 50 58 100 84 V 100 H 0 Z" fill={`hsl(${(hue + 330) % 360} 40% 20%)`} />
      <text
        x="50"
        y="54"
        fill="#fff"
        fontSize={isSmall ? 40 : 34}
        fontWeight="600"
        textAnchor="middle"
        dominantBaseline="middle"
      >
        {initialsOf(title)}
      </text>
    </svg>
  );
}

const HUES = 360;

/** The first letter or digit of up to two words of a title, in any script. Skips articles if other words exist. */
export function initialsOf(title: string): string {
  const words = title.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? [];
  const telling = words.filter((word) => !articles.has(word.toLowerCase()));
  const chosen = (telling.length === 0 ? words : telling).slice(0, 2);
  return chosen.map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0).toUpperCase()).join('') || '–';
}

const articles = new Set(['a', 'an', 'the', 'of', 'and', 'der', 'die', 'das', 'le', 'la', 'les', 'el', 'los']);

export function hueOf(title: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const sign of title) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01_00_01_93) >>> 0;
  return (hash >>> 8) % HUES;
}
