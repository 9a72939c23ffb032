import { type ReactNode, useState } from 'react';

interface CoverProps {
  readonly address: string | null;
  readonly title: string;
  readonly size: 96 | 256 | 512;
  readonly className: string;
}

/** The picture of a book; where there is none, or it does not come, the first letter of its title. */
export function PlayerCover({ address, title, size, className }: CoverProps): ReactNode {
  const [broken, setBroken] = useState<string>();
  if (address === null || address === broken) {
    return (
      <span
        aria-hidden
        className={`grid place-items-center bg-accent-soft font-semibold text-accent-strong uppercase ${className}`}
      >
        {String.fromCodePoint(title.trim().codePointAt(0) ?? 63)}
      </span>
    );
  }
  return (
    <img
      src={`${address}${address.includes('?') ? '&' : '?'}size=${size}`}
      alt=""
      className={`bg-sunken object-cover ${className}`}
      onError={() => setBroken(address)}
    />
  );
}
