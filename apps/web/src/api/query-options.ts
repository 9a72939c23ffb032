/** A stream says when it has changed; asking by the clock would only repeat what is known. */
export const followed = { staleTime: Infinity } as const;

/** Lists come in pages, each of which names the next. */
export const byCursor = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor: next }: { readonly next_cursor: string | null }): string | undefined =>
    next ?? undefined,
};
