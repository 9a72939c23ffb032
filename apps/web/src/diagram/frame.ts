import mermaid from 'mermaid';

import type { DrawDiagram } from './drawing.ts';

/**
 * The document `diagram.html`, which pages embed to turn the source of a diagram into an SVG image. Mermaid needs
 * inline styles, which our pages' content security policy forbids and this document's policy allows.
 */

const FONT = 'system-ui, sans-serif';

let drawn = 0;
let last: Promise<unknown> = Promise.resolve();

const draw: DrawDiagram = (source, theme) => {
  // Draws one diagram at a time, because the theme is a global setting in Mermaid.
  const next = last.then(async () => {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      theme,
      fontFamily: FONT,
      // Uses SVG text, because not every browser draws HTML in images.
      htmlLabels: false,
    });
    drawn += 1;
    const { svg } = await mermaid.render(`diagram-${drawn}`, source);
    return toImage(svg);
  });
  last = next.catch(() => undefined);
  return next;
};

/** An image needs well-formed XML and a size of its own. */
function toImage(markup: string): Awaited<ReturnType<DrawDiagram>> {
  const svg = new DOMParser().parseFromString(markup, 'text/html').querySelector('svg');
  const [, , width = 0, height = 0] = (svg?.getAttribute('viewBox') ?? '').split(/[\s,]+/u).map(Number);
  if (svg === null || !(width > 0) || !(height > 0)) throw new Error('The diagram is empty');
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  const text = new XMLSerializer().serializeToString(svg);
  return { url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`, width, height };
}

window.drawDiagram = draw;
