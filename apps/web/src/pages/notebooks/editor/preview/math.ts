const FORMULA_MAX = 10_000;

/**
 * Replaces the source of formulas with MathML, which browsers draw without extra style sheets or fonts. Loads KaTeX
 * with the first formula. A formula with an error keeps its source.
 */
export async function renderMath(root: ParentNode): Promise<void> {
  const formulas = [...root.querySelectorAll<HTMLElement>('.note-math')];
  if (formulas.length === 0) return;
  const { default: katex } = await import('katex');
  for (const formula of formulas) {
    const source = formula.textContent ?? '';
    if (source.length > FORMULA_MAX) continue;
    const displayMode = formula.classList.contains('note-math-block');
    try {
      // With `trust` off, KaTeX creates no links, images or HTML. KaTeX itself limits macros.
      katex.render(source, formula, {
        output: 'mathml',
        displayMode,
        throwOnError: true,
        trust: false,
        maxExpand: 1_000,
      });
    } catch (error) {
      formula.textContent = source;
      formula.title = error instanceof Error ? error.message : String(error);
      formula.classList.add('note-math-error');
    }
  }
}
