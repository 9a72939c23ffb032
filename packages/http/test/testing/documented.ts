import type { OpenApiDocument, Operation } from '../../src/openapi/schemas.ts';

/** Responses that any route may give before its handler runs. */
const anywhere: ReadonlySet<string> = new Set([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'REQUEST_MALFORMED',
  'VALIDATION_FAILED',
  'BODY_NOT_JSON',
  'BODY_TOO_LARGE',
  'CONTENT_TYPE_UNSUPPORTED',
  'IDEMPOTENCY_KEY_INVALID',
  'IDEMPOTENCY_KEY_REUSED',
]);

const standardHeaders = ['If-Match', 'If-None-Match', 'If-Range', 'Range', 'Prefer', 'Idempotency-Key'];

/** Returns what the OpenAPI document does not say about a request and its response; undefined if nothing is missing. */
export async function undocumented(
  document: OpenApiDocument,
  request: Request,
  response: Response,
): Promise<string | undefined> {
  const { pathname } = new URL(request.url);
  const operation = operationAt(document, request.method, pathname);
  const code = await problemCode(response);
  if (operation === undefined) return code !== undefined && anywhere.has(code) ? undefined : `${pathname} itself`;
  const parameters = operation.parameters ?? [];
  const header = standardHeaders.find(
    (name) => request.headers.has(name) && !parameters.some((each) => each.name === name),
  );
  if (header !== undefined) return `that ${operation.operationId} accepts ${header}`;
  if (code !== undefined && anywhere.has(code) && code !== 'VALIDATION_FAILED') return undefined;
  const answer = operation.responses[String(response.status)];
  if (answer === undefined) return `that ${operation.operationId} answers ${response.status} ${code ?? ''}`;
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  if (code === undefined && response.body !== null && type !== '' && !hasType(answer, type)) {
    return `that ${operation.operationId} answers ${response.status} with ${type}`;
  }
  const isNamed =
    code === undefined ||
    code === 'VALIDATION_FAILED' ||
    ('description' in answer && answer.description.includes(`\`${code}\``));
  return isNamed ? undefined : `that ${operation.operationId} answers ${response.status} because of ${code}`;
}

function hasType(answer: Operation['responses'][string], type: string): boolean {
  const types = 'content' in answer ? Object.keys(answer.content ?? {}) : [];
  return types.some((each) => each === type || (each.endsWith('/*') && type.startsWith(each.slice(0, -1))));
}

function operationAt({ paths }: OpenApiDocument, method: string, pathname: string): Operation | undefined {
  // Literal segments win over parameters: /events/metrics is not the event called "metrics".
  const templates = Object.keys(paths).toSorted((left, right) => parameterCount(left) - parameterCount(right));
  const found = templates.find((template) => matches(template, pathname) && method.toLowerCase() in paths[template]!);
  return found === undefined ? undefined : paths[found]?.[method.toLowerCase()];
}

function matches(template: string, pathname: string): boolean {
  const [wanted, given] = [template.split('/'), pathname.split('/')];
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith('{') || part === given[index]);
}

function parameterCount(template: string): number {
  return template.split('{').length;
}

async function problemCode(response: Response): Promise<string | undefined> {
  if (response.headers.get('content-type')?.startsWith('application/problem+json') !== true) return undefined;
  return ((await response.clone().json()) as { readonly code: string }).code;
}
