import { Marked } from 'marked';

import { randomKey } from '../../../../lib/random-key.ts';

/** Marks elements created here. Random, so that HTML in a note cannot imitate it. */
const own = randomKey();
export const WIKI_KIND = `wiki-${own}`;
export const TASK_KIND = `task-${own}`;

/** `[[note]]`, `[[note#heading|text]]`: a link by name. */
const WIKI_LINK = /^\[\[(?<target>[^\][|\n]{1,300})(?:\|(?<text>[^\]\n]{1,300}))?\]\]/u;

/** Deeper nesting is expensive to render and could overflow the stack. */
const DEEPEST = 60;

const marked = new Marked({ gfm: true, async: false }).use({
  extensions: [
    {
      name: 'wiki-link',
      level: 'inline',
      start: (source) => source.indexOf('[['),
      tokenizer(source) {
        const found = WIKI_LINK.exec(source);
        if (found === null) return undefined;
        const { target = '', text = target } = found.groups ?? {};
        return { type: 'wiki-link', raw: found[0], target: target.trim(), text: text.trim() };
      },
      renderer: (token) =>
        `<a data-kind="${WIKI_KIND}" title="${escaped(String(token['target']))}">${escaped(String(token['text']))}</a>`,
    },
  ],
  renderer: {
    html: ({ text }) => quietened(text),
    checkbox: ({ checked }) => `<input type="checkbox" data-kind="${TASK_KIND}"${checked ? ' checked' : ''}> `,
    code: ({ text, lang }) =>
      `<pre title="${escaped((lang ?? '').split(/\s/u, 1)[0] ?? '')}"><code>${escaped(text)}</code></pre>`,
  },
});

/** Returns unsanitised HTML. */
export function renderMarkdown(text: string): string {
  return marked.parse(withoutDepth(text), { async: false });
}

/**
 * Browsers report policy violations for handlers and styles while parsing, although nothing of that ever runs.
 * Removing them first keeps these reports meaningful; the sanitiser decides what is safe.
 */
function quietened(html: string): string {
  return html
    .replaceAll(/<style\b[\s\S]*?(?:<\/style\s*>|$)|<base\b[^>]*>?/giu, '')
    .replaceAll(/<[a-z][^>]*>?/giu, (tag) => tag.replaceAll(/([\s"'/])(?:on\w+|style)(?=\s*=)/giu, '$1data-off'));
}

/** Limits the nesting of quotes and lists. */
function withoutDepth(text: string): string {
  if (!/^(?:[ \t]*[>*+-]){60}/mu.test(text)) return text;
  return text.replaceAll(/^(?:[ \t]*[>*+-]){60,}/gmu, (marks) => marks.replaceAll(/\s/gu, '').slice(0, DEEPEST));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
