import { loadRenderer } from '../../../../diagram/drawing.ts';

const SOURCE_MAX = 50_000;
const THEMES = ['default', 'dark'] as const;

/**
 * Replaces a code block with the diagram that it describes, as an image: scripts, links and addresses in an SVG image do
 * nothing. There is one image per theme; the style sheet shows one of them. A diagram with an error keeps its source.
 */
export async function renderDiagram(block: HTMLElement): Promise<void> {
  const source = block.textContent ?? '';
  try {
    if (source.length > SOURCE_MAX) throw new Error(`The diagram is longer than ${SOURCE_MAX} characters`);
    const draw = await loadRenderer();
    const diagram = document.createElement('div');
    diagram.className = 'note-diagram';
    for (const theme of THEMES) {
      const { url, width, height } = await draw(source, theme);
      const image = new Image(width, height);
      image.alt = source;
      image.dataset['theme'] = theme;
      image.src = url;
      diagram.append(image);
    }
    block.replaceWith(diagram);
  } catch (error) {
    const message = document.createElement('p');
    message.className = 'note-diagram-error';
    // `instanceof Error` is false for errors that come from the frame.
    message.textContent = `This diagram has an error. ${(error as Error).message}`;
    block.after(message);
  }
}
