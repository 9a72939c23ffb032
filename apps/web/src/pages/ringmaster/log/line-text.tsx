import type { ReactNode } from 'react';

/** A line with every occurrence of the wanted words marked. */
export function LineText({ text, wanted }: { readonly text: string; readonly wanted: string }): ReactNode {
  if (wanted === '') return text;
  const parts: ReactNode[] = [];
  const lower = text.toLowerCase();
  let from = 0;
  // Some letters change their length with their case; then the places would not fit.
  for (let at = lower.indexOf(wanted); at >= 0 && lower.length === text.length; at = lower.indexOf(wanted, from)) {
    parts.push(
      text.slice(from, at),
      <mark key={at} className="rounded-sm bg-warn-soft text-warn">
        {text.slice(at, at + wanted.length)}
      </mark>,
    );
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}
