export type Look = 'grid' | 'list';

const KEY = 'holdfast.books.look';

/** How somebody looked at the library last, in this browser. */
export function rememberedLook(): Look {
  try {
    return localStorage.getItem(KEY) === 'list' ? 'list' : 'grid';
  } catch {
    return 'grid';
  }
}

export function rememberLook(look: Look): void {
  try {
    localStorage.setItem(KEY, look);
  } catch {
    // A browser that keeps nothing has it in the address.
  }
}
