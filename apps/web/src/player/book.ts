/** The fields that the player needs before it loads a book; any row of the library has them. */
export interface PlayableBook {
  readonly id: string;
  readonly title: string;
  readonly authors: readonly { readonly name: string }[];
  readonly narrators: readonly string[];
  /** An address; `&size=256` selects a thumbnail. */
  readonly cover: string | null;
  readonly duration_ms: number;
}
