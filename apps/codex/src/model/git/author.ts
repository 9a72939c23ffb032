/** Name and address of a person in git. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** Committer of every commit that codex makes; the author made the change. */
export const codexIdentity: Identity = { name: 'codex', email: 'codex@holdfast.invalid' };

/**
 * Parses the author of an event: `Name <email>`, or only a name. Removes characters that would end a header line of a
 * commit, and those that git strips itself.
 */
export function parseIdentity(text: string | null | undefined, fallback: Identity = codexIdentity): Identity {
  if (text === null || text === undefined) return fallback;
  const [, before = '', email] = /^([^<]*)(?:<([^>]*)>)?/s.exec(text) ?? [];
  const name = clean(before);
  const address = clean(email ?? '');
  if (name === '' && address === '') return fallback;
  const plainName = name === '' ? address : name;
  return { name: plainName, email: address === '' ? addressFor(plainName) : address };
}

export function formatIdentity({ name, email }: Identity): string {
  return `${name} <${email}>`;
}

/** An address that cannot exist, for authors without one. */
function addressFor(name: string): string {
  const local = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return `${local === '' ? 'unknown' : local}@codex.invalid`;
}

function clean(text: string): string {
  // oxlint-disable-next-line no-control-regex -- removes control characters
  return text.replaceAll(/[\u0000-\u001f\u007f<>]+/g, ' ').replaceAll(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, '');
}
