import { httpErrors } from '../errors.ts';

/**
 * Reads bodies up to a limit. An announced length is checked before reading; other bodies are counted as they arrive.
 * Node never delivers more than was announced.
 */
export async function readText(request: Request, limitBytes: number): Promise<string> {
  const announced = announcedBytes(request);
  if (announced !== undefined) refuseLarge(announced, limitBytes);
  const bytes =
    announced === undefined ? await countedBytes(request, limitBytes) : new Uint8Array(await request.arrayBuffer());
  // Unlike a socket, a fake request in a test can announce a wrong length.
  refuseLarge(bytes.byteLength, limitBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw httpErrors.BODY_NOT_JSON('The body is not valid UTF-8', { cause });
  }
}

/** The body as a stream that fails as soon as it exceeds the limit. */
export function limitedStream(request: Request, limitBytes: number): ReadableStream<Uint8Array> {
  const announced = announcedBytes(request);
  if (announced !== undefined) refuseLarge(announced, limitBytes);
  const { body } = request;
  if (body === null) return new Blob([]).stream();
  let received = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        received += chunk.byteLength;
        if (received > limitBytes) controller.error(tooLarge(limitBytes));
        else controller.enqueue(chunk);
      },
    }),
  );
}

export function announcedBytes(request: Request): number | undefined {
  const length = request.headers.get('content-length');
  if (length !== null && /^\d{1,15}$/.test(length)) return Number(length);
  return undefined;
}

export function refuseLarge(bytes: number, limitBytes: number): void {
  if (bytes > limitBytes) throw tooLarge(limitBytes);
}

function tooLarge(limitBytes: number): Error {
  return httpErrors.BODY_TOO_LARGE(`The body is larger than ${limitBytes} bytes`, {
    details: { limit_bytes: limitBytes },
  });
}

async function countedBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of request.body ?? []) {
    received += chunk.byteLength;
    refuseLarge(received, limitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, received);
}
