export interface ViewProps {
  /** The part of the address after the view name: an author, a series, a playlist. */
  readonly id: string | undefined;
}
