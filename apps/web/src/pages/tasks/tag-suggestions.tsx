import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent, ReactNode } from 'react';

import { taskCountsQuery } from '../../api/utask-queries.ts';
import { suggestedTags, type TypedTag } from './complete-tag.ts';

interface Suggestions {
  readonly tags: readonly string[];
  /** Completes with the first suggestion when the user presses Tab. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly choose: (tag: string) => void;
}

/** Suggests known tags that complete the tag that the user is typing. */
export function useTagSuggestions(typed: TypedTag | undefined, choose: (tag: string) => void): Suggestions {
  const { data } = useQuery(taskCountsQuery);
  const known = (data?.tags ?? []).toSorted((left, right) => right.open + right.done - left.open - left.done);
  const tags =
    typed === undefined
      ? []
      : suggestedTags(
          known.map(({ tag }) => tag),
          typed,
        );
  return {
    tags,
    choose,
    onKeyDown(event) {
      const [first] = tags;
      if (event.key !== 'Tab' || event.shiftKey || first === undefined) return;
      event.preventDefault();
      choose(first);
    },
  };
}

/** Shows the suggestions below the field. The Tab key completes with the first one. */
export function TagSuggestions({ tags, choose }: Omit<Suggestions, 'onKeyDown'>): ReactNode {
  if (tags.length === 0) return null;
  return (
    <div role="group" aria-label="Known tags" className="flex flex-wrap items-center gap-1 text-xs text-muted">
      {tags.map((tag, at) => (
        <button
          key={tag}
          type="button"
          tabIndex={-1}
          onClick={() => choose(tag)}
          className="max-w-full truncate rounded-md border border-line bg-sunken px-1.5 py-0.5 hover:border-line-strong hover:text-text"
        >
          #{tag}
          {at === 0 && <kbd className="ml-1.5 font-sans text-muted">Tab</kbd>}
        </button>
      ))}
    </div>
  );
}
