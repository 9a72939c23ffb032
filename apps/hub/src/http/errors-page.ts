import { hash } from 'node:crypto';

import { type ErrorKind, exitCodeByKind } from '@holdfast/base';
import { type Statuses, statusOf } from '@holdfast/http';

import tables from './error-codes.json' with { type: 'json' };

/**
 * The page that the `type` of every problem links to: `/errors#CODE`. It has no scripts, so it works before sign-in and
 * without the dashboard.
 */

interface Row {
  readonly code: string;
  readonly kind: string;
  readonly means: string;
  readonly hint: string;
}

const STYLE = `
:root { color-scheme: light dark; }
body { max-width: 44rem; margin: 0 auto; padding: 1.5rem 1rem 6rem; font: 1rem/1.5 system-ui, sans-serif; }
h2 { margin-top: 2.5rem; }
h3 { margin: 1.5rem 0 0.25rem; font: 600 1rem ui-monospace, monospace; overflow-wrap: anywhere; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover, h3 a:focus-visible { text-decoration: underline; }
p { margin: 0.25rem 0; }
section:target { outline: 2px solid; outline-offset: 0.5rem; border-radius: 0.25rem; }
`;

/** The policy allows only the inline style, by its hash. */
export const errorsPagePolicy = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

export function errorsPage(statuses: Statuses): string {
  const homes = homeByCode();
  const sections = tables.map(
    ({ title, errors }) =>
      `<h2>${escaped(title)}</h2>\n${errors.map((row) => section(row, statuses, homes.get(row.code) === title)).join('\n')}`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors · Holdfast</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Errors</h1>
<p>Every error has a code whose meaning does not change. This page says when each error happens and what to do.</p>
${sections.join('\n')}
</main>
</body>
</html>
`;
}

/**
 * A command and the server may share an error code. The link then leads to the server's entry, because the server comes
 * last in the tables.
 */
function homeByCode(): ReadonlyMap<string, string> {
  return new Map(tables.flatMap(({ title, errors }) => errors.map(({ code }) => [code, title] as const)));
}

function section({ code, kind, means, hint }: Row, statuses: Statuses, isHome: boolean): string {
  const status = statusOf(code, kind as ErrorKind, statuses);
  const heading = isHome ? `<a href="#${code}">${code}</a>` : code;
  return `<section${isHome ? ` id="${code}"` : ''}>
<h3>${heading}</h3>
<p>${marked(means)}</p>
<p>${marked(hint)}</p>
<p><small>HTTP ${status}, exit ${exitCodeByKind[kind as ErrorKind]}</small></p>
</section>`;
}

/** Turns text in backticks into `<code>` elements. */
function marked(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
