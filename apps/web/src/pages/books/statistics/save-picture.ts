/** Saves the poster as a PNG. */
export async function savePicture(svg: SVGSVGElement, name: string): Promise<void> {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  // An SVG image cannot load other resources, so they are embedded.
  await Promise.all([...copy.querySelectorAll('image')].map(withContent));
  const text = new XMLSerializer().serializeToString(copy);
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    if (picture !== null) download(picture, name);
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function withContent(image: SVGImageElement): Promise<void> {
  try {
    const response = await fetch(image.href.baseVal);
    if (!response.ok) return image.remove();
    const content = await response.blob();
    const data = await new Promise<string>((done, fail) => {
      const reader = new FileReader();
      reader.addEventListener('load', () => done(reader.result as string));
      reader.addEventListener('error', () => fail(new Error('Could not read the cover')));
      reader.readAsDataURL(content);
    });
    image.setAttribute('href', data);
  } catch {
    // Without the cover, the initials behind it show.
    image.remove();
  }
}

function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
