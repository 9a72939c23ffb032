import { HighlightStyle } from '@codemirror/language';
import { tags } from '@lezer/highlight';

interface Rules {
  getRules(): string;
}

interface Mounting {
  mount(root: Document | ShadowRoot, modules: Rules | readonly Rules[]): void;
}

/**
 * The editor adds its styles as a `<style>` element, which our content security policy blocks. A constructed style
 * sheet is allowed, so this patches the class that mounts them. (It is not exported, but an instance leads to it.)
 */
export function adoptEditorStyles(): void {
  const sample = HighlightStyle.define([{ tag: tags.strong, fontWeight: 'bold' }]).module;
  const styles = sample?.constructor as Mounting | undefined;
  if (styles === undefined) throw new Error('The styles of the editor are not where they were');
  const sheet = new CSSStyleSheet();
  let mounted: readonly Rules[] = [];
  styles.mount = (root, modules) => {
    const wanted = [modules].flat() as readonly Rules[];
    const next = [...mounted.filter((each) => !wanted.includes(each)), ...wanted];
    if (next.length > mounted.length) sheet.replaceSync(next.map((each) => each.getRules()).join('\n'));
    mounted = next;
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  };
}
