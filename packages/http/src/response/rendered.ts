/** An answer that is complete and can be kept: what Idempotency-Key remembers. */
export interface Rendered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly cookies?: readonly string[] | undefined;
}

/**
 * Makes the response in one go: a response whose headers are touched after it was made costs the server its fast path.
 */
export function responseOf(rendered: Rendered, common: Readonly<Record<string, string>>): Response {
  const headers: Record<string, string> = { ...common, ...rendered.headers };
  const { status, body, cookies = [] } = rendered;
  if (cookies.length === 0) return new Response(body, { status, headers });
  const withCookies = new Headers(headers);
  for (const cookie of cookies) withCookies.append('set-cookie', cookie);
  return new Response(body, { status, headers: withCookies });
}

/** Adds what every response has to one that a handler made by itself; what the handler said stays. */
export function completed(response: Response, common: Readonly<Record<string, string>>): Response {
  try {
    return withDefaults(response, common);
  } catch {
    // Responses of `fetch` and `Response.redirect` cannot be changed, but copied.
    return withDefaults(new Response(response.body, response), common);
  }
}

function withDefaults(response: Response, common: Readonly<Record<string, string>>): Response {
  const { headers } = response;
  for (const [name, value] of Object.entries(common)) if (!headers.has(name)) headers.set(name, value);
  return response;
}
