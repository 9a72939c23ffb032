/** What is shown of a note, and how that is remembered. */
export type Arrangement = 'write' | 'both' | 'read';

export const arrangements: readonly { readonly value: Arrangement; readonly label: string }[] = [
  { value: 'write', label: 'Write' },
  { value: 'both', label: 'Both' },
  { value: 'read', label: 'Read' },
];

const KEY = 'holdfast.note.view';

export function rememberedArrangement(): Arrangement {
  try {
    return arrangements.find(({ value }) => value === localStorage.getItem(KEY))?.value ?? 'both';
  } catch {
    return 'both';
  }
}

export function rememberArrangement(arrangement: Arrangement): void {
  try {
    localStorage.setItem(KEY, arrangement);
  } catch {
    // A browser that keeps nothing has it until the page is closed.
  }
}
