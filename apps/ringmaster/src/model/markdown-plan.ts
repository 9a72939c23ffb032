import { markdownOutline } from '@holdfast/base';

interface Reference {
  readonly line: number;
  readonly text: string;
}

export interface PlanEntry {
  readonly line: number;
  readonly title: string;
  /** Number that references use: the number of a list item, or the one at the start of a heading. */
  readonly number: string | undefined;
  readonly isDone: boolean;
  readonly parent: PlanEntry | undefined;
  readonly parts: PlanEntry[];
  readonly dependsOn: PlanEntry[];
  /** The text that belongs to the entry. */
  readonly lines: string[];
  readonly references: Reference[];
}

export interface PlanProblem {
  readonly line: number;
  readonly message: string;
}

export interface Plan {
  /** In the order of the file, so that a parent precedes its parts. */
  readonly entries: readonly PlanEntry[];
  readonly problems: readonly PlanProblem[];
}

const REFERENCE_LINE = /^\s*(?:[-*+]\s+)?[*_]*depends\s+on:?[*_]*:?\s+(.+?)\s*$/iu;
const IN_BRACKETS = /^(.+?)\s*[([]\s*depends\s+on:?\s+(.+?)\s*[)\]]$/iu;
const AFTER_DASH = /^(.+?)(?:\s+[-–—]+|[;,:])\s+depends\s+on:?\s+(.+)$/iu;
/** `2. Storage`, `2.1 Schema`, `Phase 1: Storage`. */
const NUMBERED = /^(?:(?:task|step|phase|part|epic)\s+)?(\d+(?:\.\d+)+|\d+(?=\s*[.):–—-]))\s*[.):–—-]?\s+(.+)$/iu;
const NUMBER_REFERENCE = /^(?:(?:task|step|phase|part|epic|item)\s+)?#?(\d+(?:\.\d+)*)$/iu;

/**
 * Reads a Markdown plan. Every heading and every list item with a checkbox is an entry. An entry is part of the heading
 * or item that contains it. Parsing continues after a problem, so that one run reports all problems.
 */
export function parsePlan(markdown: string): Plan {
  const { entries, problems } = readEntries(markdown);
  for (const entry of entries) {
    for (const reference of entry.references) resolve(entry, reference, entries, problems);
    const twin = siblings(entry, entries).find(
      ({ line, title }) => line < entry.line && key(title) === key(entry.title),
    );
    if (twin !== undefined) {
      const message = `line ${twin.line} has the same title in the same place; give each its own title`;
      problems.push({ line: entry.line, message });
    }
  }
  if (entries.length === 0)
    problems.push({ line: 1, message: 'the plan has no heading and no item such as "- [ ] title"' });
  return { entries, problems };
}

function readEntries(markdown: string): { readonly entries: PlanEntry[]; readonly problems: PlanProblem[] } {
  const entries: PlanEntry[] = [];
  const problems: PlanProblem[] = [];
  const headings: { readonly level: number; readonly entry: PlanEntry }[] = [];
  const items: { readonly indent: number; readonly entry: PlanEntry }[] = [];
  let hasStrayText = false;
  for (const each of markdownOutline(markdown)) {
    const [heading, item] = [headings.at(-1)?.entry, items.at(-1)?.entry];
    if (each.kind === 'heading') {
      items.length = 0;
      while ((headings.at(-1)?.level ?? 0) >= each.level) headings.pop();
      headings.push({ level: each.level, entry: addEntry(entries, each, headings.at(-1)?.entry) });
    } else if (each.kind === 'item') {
      while ((items.at(-1)?.indent ?? -1) >= each.indent) items.pop();
      items.push({ indent: each.indent, entry: addEntry(entries, each, items.at(-1)?.entry ?? heading) });
    } else {
      const isIndented = /^\s/u.test(each.text) || each.text === '';
      const owner = isIndented ? (item ?? heading) : (heading ?? item);
      if (owner !== undefined) addText(owner, each);
      else if (each.text.trim() !== '' && !hasStrayText) {
        hasStrayText = true;
        problems.push({ line: each.line, message: 'this text comes before the first heading or item' });
      }
    }
  }
  return { entries, problems };
}

function addEntry(
  entries: PlanEntry[],
  given: {
    readonly line: number;
    readonly title: string;
    readonly number?: string | undefined;
    readonly isDone?: boolean;
  },
  parent: PlanEntry | undefined,
): PlanEntry {
  const [, title = given.title, reference] = IN_BRACKETS.exec(given.title) ?? AFTER_DASH.exec(given.title) ?? [];
  const entry: PlanEntry = {
    line: given.line,
    title,
    number: given.number ?? NUMBERED.exec(title)?.[1],
    isDone: given.isDone ?? false,
    parent,
    parts: [],
    dependsOn: [],
    lines: [],
    references: reference === undefined ? [] : [{ line: given.line, text: reference }],
  };
  parent?.parts.push(entry);
  entries.push(entry);
  return entry;
}

function addText(
  { lines, references }: PlanEntry,
  { line, text, isCode }: { readonly line: number; readonly text: string; readonly isCode: boolean },
): void {
  const [, reference] = (isCode ? null : REFERENCE_LINE.exec(text)) ?? [];
  if (reference !== undefined) references.push({ line, text: reference });
  else lines.push(isCode ? text : text.trim());
}

/** Resolves `A, B and 3`. A title may itself contain a comma or "and", so the longest match wins. */
function resolve(
  entry: PlanEntry,
  { line, text }: Reference,
  entries: readonly PlanEntry[],
  problems: PlanProblem[],
): void {
  const pieces = text.replace(/\.$/u, '').split(/(\s*[,;]\s*(?:and\s+)?|\s+and\s+)/iu);
  for (let start = 0; start < pieces.length; start += 2) {
    let end = pieces.length;
    let found: readonly PlanEntry[] = [];
    for (; end > start && found.length === 0; end -= 2) {
      found = matches(entry, pieces.slice(start, end).join(''), entries);
    }
    const name = pieces.slice(start, found.length === 0 ? start + 1 : end + 2).join('');
    const [target, ...others] = found;
    if (target === undefined) problems.push({ line, message: `no heading or item is called "${name}"` });
    else if (others.length > 0) {
      problems.push({ line, message: `"${name}" can mean lines ${found.map((each) => each.line).join(', ')}` });
    } else if (target === entry) problems.push({ line, message: `"${entry.title}" cannot depend on itself` });
    else if (ancestors(entry).includes(target)) {
      problems.push({ line, message: `"${entry.title}" cannot depend on "${target.title}", which it is part of` });
    } else if (!entry.dependsOn.includes(target)) entry.dependsOn.push(target);
    // The loop has set `end` to 2 less than the end of the match, so `end + 1` is the last matched piece. The outer
    // loop skips the separator.
    if (found.length > 0) start = end + 1;
  }
}

/**
 * Returns the entries that a reference can mean. Entries in the same list take precedence. If no entry has a given
 * number, the number is a position in that list.
 */
function matches(entry: PlanEntry, text: string, entries: readonly PlanEntry[]): readonly PlanEntry[] {
  const number = NUMBER_REFERENCE.exec(key(text))?.[1];
  const wanted = key(text);
  const near = siblings(entry, entries);
  const named = (each: PlanEntry): boolean =>
    key(each.title) === wanted ||
    key(NUMBERED.exec(each.title)?.[2] ?? '') === wanted ||
    (number !== undefined && each.number === number);
  const nearby = near.filter(named);
  if (nearby.length > 0) return nearby;
  const anywhere = entries.filter(named);
  if (anywhere.length > 0 || number === undefined) return anywhere;
  return near.slice(Number(number) - 1, Number(number));
}

function siblings({ parent }: PlanEntry, entries: readonly PlanEntry[]): readonly PlanEntry[] {
  return parent?.parts ?? entries.filter((each) => each.parent === undefined);
}

function ancestors({ parent }: PlanEntry): readonly PlanEntry[] {
  return parent === undefined ? [] : [parent, ...ancestors(parent)];
}

/** Returns the title in lower case, without Markdown marks, quotes and repeated spaces. */
function key(title: string): string {
  return title
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/[*_`"'“”‘’]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** Identifies an entry in later imports of the same file. */
export function planReference(file: string, entry: PlanEntry): string {
  const titles: string[] = [];
  for (let each: PlanEntry | undefined = entry; each !== undefined; each = each.parent) titles.unshift(key(each.title));
  return `${file}#${titles.join(' › ')}`;
}
