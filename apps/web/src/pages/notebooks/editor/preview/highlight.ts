import { LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { classHighlighter, highlightCode } from '@lezer/highlight';

/** Longer code is shown as it is. */
const LONGEST = 50_000;

/** Colours a block of code once its language is there. Text stays text: only elements around it are made. */
export async function highlightBlock(code: HTMLElement, name: string): Promise<void> {
  const text = code.textContent ?? '';
  const description = name === '' ? null : LanguageDescription.matchLanguageName(languages, name, true);
  if (description === null || text.length > LONGEST) return;
  const { language } = await description.load();
  const nodes: Node[] = [];
  highlightCode(
    text,
    language.parser.parse(text),
    classHighlighter,
    (part, classes) => nodes.push(classes === '' ? document.createTextNode(part) : coloured(part, classes)),
    () => nodes.push(document.createTextNode('\n')),
  );
  code.replaceChildren(...nodes);
}

function coloured(text: string, classes: string): HTMLElement {
  const span = document.createElement('span');
  span.className = classes;
  span.textContent = text;
  return span;
}
