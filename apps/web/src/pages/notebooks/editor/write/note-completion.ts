import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';

interface LinkName {
  readonly path: string;
  readonly title: string | null;
}

const LIMIT = 20;

/** Completes note names after `[[`. Failures do not interrupt typing. */
export function noteCompletion(notebookId: string): (context: CompletionContext) => Promise<CompletionResult | null> {
  return async (context) => {
    const typed = context.matchBefore(/\[\[[^\][|#\n]*/u);
    if (typed === null) return null;
    const names = await linkNames(notebookId, typed.text.slice(2), context);
    if (names.length === 0) return null;
    const from = typed.from + 2;
    return {
      from,
      filter: false,
      options: names.slice(0, LIMIT).map(({ path, title }) => {
        const name = path.replace(/\.(?:md|markdown)$/iu, '');
        return {
          label: name,
          ...(title === null ? {} : { detail: title }),
          apply(view, _completion, start, end) {
            const isClosed = view.state.sliceDoc(end, end + 2) === ']]';
            const insert = isClosed ? name : `${name}]]`;
            const after = start + name.length + 2;
            view.dispatch({ changes: { from: start, to: end, insert }, selection: { anchor: after } });
          },
        };
      }),
    };
  };
}

async function linkNames(notebookId: string, text: string, context: CompletionContext): Promise<readonly LinkName[]> {
  const stop = new AbortController();
  context.addEventListener('abort', () => stop.abort(), { onDocChange: true });
  try {
    const query = new URLSearchParams({ query: text });
    const url = `/api/codex/notebooks/${encodeURIComponent(notebookId)}/link-names?${query.toString()}`;
    const response = await fetch(url, { signal: stop.signal });
    if (!response.ok) return [];
    const body = (await response.json()) as { readonly data?: readonly LinkName[] } | readonly LinkName[];
    return Array.isArray(body) ? body : ((body as { readonly data?: readonly LinkName[] }).data ?? []);
  } catch {
    return [];
  }
}
