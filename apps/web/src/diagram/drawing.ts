interface Drawing {
  /** A data URL of an SVG image. */
  readonly url: string;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** Rejects with Mermaid's message if the source has an error. */
export type DrawDiagram = (source: string, theme: 'default' | 'dark') => Promise<Drawing>;

declare global {
  interface Window {
    /** Set in `diagram.html`. */
    drawDiagram?: DrawDiagram;
  }
}

let renderer: Promise<DrawDiagram> | undefined;

/** Loads Mermaid for the first diagram. If that fails, the next diagram tries again. */
export function loadRenderer(): Promise<DrawDiagram> {
  renderer ??= openFrame().catch((error: unknown) => {
    renderer = undefined;
    throw error;
  });
  return renderer;
}

/** Mermaid measures text, so the frame must be part of the layout: it is invisible, but not removed. */
function openFrame(): Promise<DrawDiagram> {
  const frame = document.createElement('iframe');
  frame.className = 'diagram-frame';
  frame.title = 'Diagram renderer';
  frame.inert = true;
  frame.ariaHidden = 'true';
  frame.src = '/diagram.html';
  document.body.append(frame);
  return new Promise((resolve, reject) => {
    frame.addEventListener('load', () => {
      const draw = frame.contentDocument === null ? undefined : frame.contentWindow?.drawDiagram;
      if (draw !== undefined) return resolve(draw);
      frame.remove();
      reject(new Error('The diagram renderer could not be loaded'));
    });
  });
}
