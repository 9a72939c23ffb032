/** Texts as a column of the database keeps them; only we write there. */
export function textList(stored: string | null): readonly string[] {
  return stored === null ? [] : (JSON.parse(stored) as readonly string[]);
}
