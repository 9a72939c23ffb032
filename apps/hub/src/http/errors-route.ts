import { bytes, defineRoute, type Statuses } from '@holdfast/http';

/** Route for the page that a problem's `type` links to. Public, because it also explains why a sign-in failed. */
export function errorsRoutes(statuses: Statuses) {
  let page: string | undefined;
  return [
    defineRoute({
      method: 'GET',
      path: '/errors',
      permission: 'public',
      summary: 'Show a page with all error codes, what they mean and what to do',
      responses: { 200: bytes('text/html') },
      handler: async () => {
        const { errorsPage, errorsPagePolicy } = await import('./errors-page.ts');
        page ??= errorsPage(statuses);
        return new Response(page, {
          headers: {
            'content-type': 'text/html; charset=utf-8',
            'content-security-policy': errorsPagePolicy,
            'cache-control': 'no-cache',
          },
        });
      },
    }),
  ] as const;
}
