import { MEBIBYTE } from '@holdfast/base';

import { codexErrors } from '../model/errors.ts';
import { titleOf } from '../model/note-path.ts';
import type { Notebook } from '../model/notebook.ts';
import { notebookPath } from '../model/path.ts';
import { fileAt, listFiles } from '../store/files.ts';
import type { CodexContext } from './context.ts';
import { readContent } from './read-files.ts';

const TEMPLATES_MAX = 500;
const TEMPLATE_BYTES_MAX = MEBIBYTE;

export interface Template {
  readonly path: string;
  readonly name: string;
}

/** Every text below the folder of templates, by path. */
export function listTemplates({ store, settings }: CodexContext, notebookId: number): readonly Template[] {
  const folder = notebookPath(settings.template_folder);
  const files = listFiles(store.reader, notebookId, { folder, limit: TEMPLATES_MAX });
  return files
    .filter(({ content_type }) => content_type.startsWith('text/'))
    .map(({ path }) => ({ path, name: titleOf(path) }));
}

/** The text of a template, by its path or its name. */
export async function templateText(codex: CodexContext, notebook: Notebook, name: string): Promise<string> {
  const all = listTemplates(codex, notebook.id);
  const found = all.find(({ path }) => path === name) ?? all.find((template) => template.name === name);
  if (found === undefined) {
    throw codexErrors.FILE_NOT_FOUND(`There is no template ${JSON.stringify(name)}`, {
      hint: `Templates are the texts in ${codex.settings.template_folder}/ of the notebook.`,
    });
  }
  return readText(codex, notebook, found.path);
}

/** Undefined when there is no such file. */
export async function optionalText(codex: CodexContext, notebook: Notebook, path: string): Promise<string | undefined> {
  if (path === '' || fileAt(codex.store.reader, notebook.id, path) === undefined) return undefined;
  return readText(codex, notebook, path);
}

async function readText({ store }: CodexContext, notebook: Notebook, path: string): Promise<string> {
  const { size = 0 } = fileAt(store.reader, notebook.id, path) ?? {};
  if (size > TEMPLATE_BYTES_MAX) throw codexErrors.FILE_TOO_LARGE(`${path} is too long for a template`);
  return Buffer.from(await readContent(notebook, path)).toString('utf8');
}
