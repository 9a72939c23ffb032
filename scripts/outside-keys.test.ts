import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

import { MINUTE } from '@holdfast/base';
import ts from 'typescript';
import { expect, it, onTestFinished } from 'vitest';

/**
 * `object[key]` and `key in object` also find `constructor` and `__proto__`, which every plain object inherits. So a
 * key from outside could break stored data or pass a check. If a key's type is just `string`, the code must use a Map
 * or `Object.hasOwn`.
 */

const root = resolve(import.meta.dirname, '..');
const CHECKED = /^apps\/(?!web\/)[^/]+\/src\/(?!cli\/|tui\/|adapters\/)[^/]+\/(?!.*\.test\.ts$).*\.ts$/;

/**
 * Allowed accesses, whose keys come from our own code: names of fields, columns or variables, or words that a pattern
 * lists. The names of ID3 frames and MP4 boxes have four characters, and no object inherits such a name.
 */
const ownKeys: ReadonlySet<string> = new Set([
  'apps/audiobooks/src/http/feed-documents.ts: ESCAPED[sign]',
  'apps/audiobooks/src/http/audiobookshelf/library-routes.ts: request.path[name]',
  'apps/audiobooks/src/media/id3.ts: NAMES[id]',
  'apps/audiobooks/src/media/mp4.ts: NAMES[item.name]',
  "apps/audiobooks/src/media/mp4.ts: { alac: 'alac', 'ac-3': 'ac3', 'ec-3': 'eac3', fLaC: 'flac', Opus: 'opus', '.mp3': 'mp3' }[code]",
  'apps/audiobooks/src/scan/assemble.ts: provenance[name]',
  'apps/audiobooks/src/scan/assemble.ts: chosen[name]',
  'apps/hub/src/http/errors-page.ts: exitCodeByKind[kind as ErrorKind]',
  'apps/hub/src/http/errors-page.ts: entities[character]',
  "apps/ringmaster/src/worker/next-step.ts: ends[turn.result ?? '']",
  'apps/ringmaster/src/worker/service-problem.ts: units[String(letter).toLowerCase() as keyof typeof units]',
  'apps/ringmaster/src/worker/transcript.ts: usage[name]',
  'apps/audiobooks/src/model/normalize.ts: LETTERS[letter]',
  'apps/audiobooks/src/model/operation.ts: result[name]',
  'apps/audiobooks/src/model/names/series-text.ts: SPELLED[number.toLowerCase()]',
  'apps/audiobooks/src/service/transfer/export-import.ts: own[name]',
  'apps/audiobooks/src/store/encryption.ts: value[field]',
  'apps/codex/src/model/settings.ts: env[variable]',
  'apps/codex/src/model/template.ts: parts[part]',
  'apps/codex/src/model/note/parse-note.ts: properties[name]',
  'apps/np/src/model/text.ts: MS_BY_UNIT[unit]',
  'apps/np/src/service/verify.ts: actual[status as keyof Stats]',
  'apps/ringmaster/src/model/config.ts: sections[name as keyof typeof sections]',
  'apps/ringmaster/src/model/config.ts: given[key]',
  'apps/ringmaster/src/model/config.ts: values[key]',
  'apps/ringmaster/src/model/beads/from-task.ts: before[name]',
  'apps/ringmaster/src/model/beads/from-task.ts: fields[name]',
  'apps/ringmaster/src/model/beads/to-task.ts: issue[name]',
  'apps/ringmaster/src/service/tasks.ts: before[name as keyof Task]',
  'apps/ringmaster/src/store/undo.ts: current?.[name]',
  'apps/ringmaster/src/store/schema/adopt.ts: conditions[table]',
]);

/** Returns `path: expression` of every unguarded access with a key of type `string`. */
function unguardedAccesses(files: readonly string[], options: ts.CompilerOptions): readonly string[] {
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const isAnyText = (key: ts.Expression): boolean => {
    const type = checker.getTypeAtLocation(key);
    return (type.isUnion() ? type.types : [type]).some(({ flags }) => (flags & ts.TypeFlags.String) !== 0);
  };
  return files.flatMap((path) => {
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      const key = keyOf(node);
      if (key !== undefined && isAnyText(key) && !isGuarded(node)) {
        found.push(`${relative(root, path)}: ${node.getText()}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(program.getSourceFile(path)!);
    return found;
  });
}

function keyOf(node: ts.Node): ts.Expression | undefined {
  const isIn = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword;
  const key = isIn ? node.left : ts.isElementAccessExpression(node) ? node.argumentExpression : undefined;
  // `name as keyof T` is a cast without a check.
  return key !== undefined && ts.isAsExpression(key) ? key.expression : key;
}

/** `Object.hasOwn(object, key) ? object[key] : …`, or an `if` with that condition. */
function isGuarded(node: ts.Node): boolean {
  for (let at = node.parent; !ts.isSourceFile(at) && !ts.isBlock(at); at = at.parent) {
    const condition = ts.isConditionalExpression(at) ? at.condition : ts.isIfStatement(at) ? at.expression : undefined;
    if (condition?.getText().includes('Object.hasOwn(') === true) return true;
  }
  return false;
}

it('keys from outside never index a plain object', { timeout: 3 * MINUTE }, () => {
  const config = ts.getParsedCommandLineOfConfigFile(resolve(root, 'tsconfig.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ code }) => expect.unreachable(`tsconfig.json: TypeScript error ${code}`),
  })!;
  const files = config.fileNames.filter((path) => CHECKED.test(relative(root, path)));
  expect(files.length).toBeGreaterThan(250);
  const found = new Set(unguardedAccesses(files, config.options));
  expect([...found].filter((access) => !ownKeys.has(access))).toEqual([]);
  expect([...ownKeys].filter((access) => !found.has(access))).toEqual([]);
});

it('the check finds every way to index with any text, and accepts a guard', { timeout: MINUTE }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'sample.ts');
  writeFileSync(
    path,
    `const table: Record<string, number> = { a: 1 };
     export function sample(key: string, word: 'a' | 'b', list: number[]): unknown {
       table[key] = 1;
       if (Object.hasOwn(table, key)) return table[key];
       return [table[key + 'x'], key in table, table[word], list[0], Object.hasOwn(table, key) ? table[key] : 0];
     }`,
  );
  const found = unguardedAccesses([path], { strict: true, noLib: false }).map((access) => access.split(': ')[1]);
  expect(found).toEqual(['table[key]', "table[key + 'x']", 'key in table']);
});
