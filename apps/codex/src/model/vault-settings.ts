import { posix } from 'node:path';

import { pathProblem } from './path.ts';
import type { Settings } from './settings.ts';

/** Folders for templates, daily notes and attachments in a notebook. */
export interface NoteSettings extends Pick<Settings, 'template_folder' | 'daily_path' | 'daily_template'> {
  readonly attachment_folder: string;
  /** Formats for `{{date}}` and `{{time}}` in templates. */
  readonly formats: { readonly date?: string | undefined; readonly time?: string | undefined };
}

/** Files in which Obsidian stores these settings. */
export const vaultFiles = {
  app: '.obsidian/app.json',
  daily: '.obsidian/daily-notes.json',
  templates: '.obsidian/templates.json',
} as const;

type VaultFiles = Readonly<Record<keyof typeof vaultFiles, string | undefined>>;

/**
 * Reads the settings of an Obsidian vault. The server's settings replace missing and invalid values. `note` is the note
 * that gets the attachment.
 */
export function vaultSettings(files: VaultFiles, settings: Settings, note: string | undefined): NoteSettings {
  const app = objectIn(files.app);
  const daily = objectIn(files.daily);
  const templates = objectIn(files.templates);
  const dailyFolder = folderOf(daily['folder']) ?? '';
  const format = textOf(daily['format']) ?? 'YYYY-MM-DD';
  const isVaultDaily = textOf(daily['folder']) !== undefined || textOf(daily['format']) !== undefined;
  return {
    template_folder: folderOf(templates['folder']) ?? settings.template_folder,
    daily_path: isVaultDaily ? posix.join(dailyFolder, `{{date:${format}}}.md`) : settings.daily_path,
    daily_template: folderOf(daily['template']) ?? settings.daily_template,
    attachment_folder: attachmentFolder(app['attachmentFolderPath'], note) ?? settings.attachment_folder,
    formats: { date: textOf(templates['dateFormat']), time: textOf(templates['timeFormat']) },
  };
}

function objectIn(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const found = JSON.parse(text ?? '{}') as unknown;
    return typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' && !/[{}]/u.test(value) ? value.trim() : undefined;
}

/** Returns a folder in the vault, without slashes at the start or end. */
function folderOf(value: unknown): string | undefined {
  const path = textOf(value)?.replaceAll(/^\/+|\/+$/gu, '');
  return path === undefined || path === '' || pathProblem(path) !== undefined ? undefined : path;
}

/** `/` is the vault itself, `./` the folder of the note, `./sub` a folder in it. */
function attachmentFolder(value: unknown, note: string | undefined): string | undefined {
  const path = textOf(value);
  if (path === undefined) return undefined;
  if (path === '/') return '';
  if (!path.startsWith('.')) return folderOf(path);
  const beside = posix.join(note === undefined ? '' : posix.dirname(note), path).replace(/\/$/u, '');
  return beside === '.' ? '' : folderOf(beside);
}
