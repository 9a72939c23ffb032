/** Matches a role in brackets after a name, as in `Frank Herbert (author)`. */

const ROLE = /\s*[([]\s*(?:author|autor|writer|narrator|reader|editor|hrsg\.?|ed\.?|erzähler|read by)\s*[)\]]\s*$/iu;
/** Matches roles of contributors who are not authors. */
const OTHER_ROLE =
  /(?:\s[-–]\s|\s*[([])\s*(?:translator|translated by|foreword|afterword|introduction|introductions?|illustrator|contributor|übersetzer|preface)\b.*$/iu;
const BY =
  /^(?:(?:written|read|narrated|performed|gelesen|erzählt|lu|presented)\s+(?:by|von|par)|by|von|reader|narrator)\s*:?\s+/iu;
const NOBODY = /^(?:unknown(?: (?:author|artist|narrator))?|n\/?a|none|artist|author|\?+|-+)$/iu;
const SUFFIX = /^(?:jr|sr|i{1,3}|iv)\.?$/iu;
const DEGREE = /^(?:ph\.?\s?d|m\.?d|m\.?a|mba|esq|dds)\.?$/iu;
const PARTICLE =
  /^(?:le|la|de|del|della|di|da|du|des|van|von|der|den|st\.?|saint|mac|mc|o'|ter|ten|al|el|bin|ibn|dos)$/iu;

/** Returns all people in a text, in order, with the first name first. */
export function splitPeople(text: string): readonly string[] {
  const people: string[] = [];
  for (const group of text.split(/\s*[;|]\s*|\s+&\s+|\s+(?:and|und|et)\s+|\s*\/\s*|\s+with\s+/iu)) {
    for (const person of splitCommas(group)) {
      const name = personName(person);
      if (name !== undefined && !people.includes(name)) people.push(name);
    }
  }
  return people;
}

/** Removes the role from a name; returns undefined if no name is left or the role is neither author nor narrator. */
function personName(text: string): string | undefined {
  if (OTHER_ROLE.test(text)) return undefined;
  const plain = text.replace(BY, '').replace(ROLE, '').replaceAll(/\s+/gu, ' ').trim();
  if (plain === '' || NOBODY.test(plain) || !/\p{L}/u.test(plain)) return undefined;
  return plain;
}

/**
 * Splits a text at commas between people. A comma can also separate a last name from a first name, or a name from a
 * suffix such as `Jr.` or a degree, which is dropped.
 */
function splitCommas(text: string): readonly string[] {
  const parts: string[] = [];
  for (const part of text.split(/\s*,\s*/u).filter((one) => one !== '')) {
    if (parts.length > 0 && DEGREE.test(part)) continue;
    if (parts.length > 0 && SUFFIX.test(part)) parts[parts.length - 1] += ` ${part}`;
    else parts.push(part);
  }
  if (parts.length < 2 || parts.length % 2 !== 0) return parts;
  const pairs = Array.from(
    { length: parts.length / 2 },
    (_, n) => [parts[n * 2] ?? '', parts[n * 2 + 1] ?? ''] as const,
  );
  return pairs.every(([last, first]) => isLastFirst(last, first))
    ? pairs.map(([last, first]) => `${first} ${last}`)
    : parts;
}

/** Returns true for `Herbert, Frank` and `Le Guin, Ursula K.`, but not for `Neil Gaiman, Terry Pratchett`. */
function isLastFirst(last: string, first: string): boolean {
  const words = last.split(' ').filter((word) => !SUFFIX.test(word));
  const lastIsShort =
    words.length === 1 || (words.length <= 3 && words.slice(0, -1).every((word) => PARTICLE.test(word)));
  return lastIsShort && first.split(' ').length <= 3;
}

/** Matches words that occur in book titles but not in names. */
const TITLE_WORD =
  /^(?:the|a|an|of|in|on|at|to|for|from|with|and|is|are|was|how|why|what|when|where|who|my|your|his|her|our|their|no|not|book|vol|volume|part|series|trilogy|saga|chronicles|collection|files|archives?|cycle|adventures|mysteries|universe|duology|quartet|novels|books|diaries|story|stories|tales|complete|audiobook|das|die|ein|eine|und|les|des|une?)$/iu;

/** Returns whether the text looks like a person: two to five capitalised words, or the last name first. */
export function looksLikePerson(text: string): boolean {
  const people = splitPeople(text);
  return people.length > 0 && people.every((person) => isPerson(person));
}

/** Accepts a short lower-case prefix before the capital letter, as in `deGrasse`. */
const isCapital = (word: string): boolean => /^['"]?(?:\p{Ll}{0,3}\p{Lu}|\p{Lo})/u.test(word) || PARTICLE.test(word);

function isPerson(name: string): boolean {
  if (/[\d:!?"#]/u.test(name)) return false;
  const words = name.split(' ');
  if (words.length < 2 || words.length > 5) return false;
  return words.every((word) => isCapital(word) && (!TITLE_WORD.test(word) || PARTICLE.test(word)));
}

/** Returns whether the name has initials, as in `R.C. Bray`, which characters and titles rarely have. */
export const hasInitials = (name: string): boolean => /(?:^|\s)\p{Lu}\.?(?:\s|\p{Lu}\.)/u.test(name);
