export interface ViewProps {
  /** What follows the name of the view in the address: one author, one series, one playlist. */
  readonly id: string | undefined;
}
