import { DAY } from '@holdfast/base';

import { findCode } from '../../adapters/code-files.ts';
import { inside, readText } from '../../adapters/files.ts';
import { projectFilePaths } from '../../adapters/project-files.ts';
import type { Candidate } from '../../model/prompt/choose.ts';
import { excerptOf } from '../../model/prompt/excerpt.ts';
import { fenced } from '../../model/prompt/layout.ts';
import { type Query, relevances } from '../../model/prompt/relevance.ts';
import { isNamed } from '../../model/prompt/terms.ts';
import { cutToTokens, tokensOf } from '../../model/prompt/tokens.ts';
import type { Ringmaster } from '../ringmaster.ts';
import { textCandidate } from './task-candidates.ts';

const CODE_FILES_MAX = 60;
const FENCE_TOKENS = 8;
/** No file may use the whole budget, unless the task names it. */
const SHARE_MAX = 0.4;

/** project.md and conventions.md always; from context/ only relevant files. */
export function documentCandidates(rm: Ringmaster, project: string, query: Query): Candidate[] {
  const folder = `projects/${project}/`;
  const files = projectFilePaths(rm.workspace.filesPath)
    .filter((path) => path.startsWith(folder))
    .map((path) => ({ path: path.slice(folder.length), text: readText(inside(rm.workspace.filesPath, path)) }));
  const always = files.filter(({ path }) => !path.startsWith('context/'));
  const context = files.filter(({ path, text }) => path.startsWith('context/') && !text.includes('\0'));
  const scores = relevances(context, query);
  return [
    ...always.map(({ path, text }) =>
      textCandidate('project', path, text, path === 'project.md' ? 1 : 0.95, 'always', {
        position: path === 'project.md' ? -2 : -1,
      }),
    ),
    ...context.map(({ path, text }, index): Candidate => {
      const heading = `### ${path}\n`;
      return {
        source: 'context',
        name: path,
        score: scores[index] ?? 0,
        reason: isNamed(path, query.names) ? 'the task names it' : 'its words are those of the task',
        fit: (tokens) => {
          const { text: cut, isCut } = cutToTokens(text.trim(), tokens - tokensOf(heading));
          return { text: cut === '' ? '' : `${heading}${cut}`, isCut };
        },
      };
    }),
  ].filter((candidate) => candidate !== undefined);
}

/** Files of the repository that contain words of the task or that it names. */
export async function codeCandidates(
  folder: string,
  query: Query,
  { maxTokens, now }: { readonly maxTokens: number; readonly now: number },
): Promise<Candidate[]> {
  if (maxTokens === 0) return [];
  // Longer words are more specific.
  const terms = [...query.terms.keys()].sort((left, right) => right.length - left.length);
  const isWanted = (path: string): boolean => isNamed(path, query.names);
  const files = await findCode(folder, { terms, limit: CODE_FILES_MAX, names: query.names.size, isWanted });
  const scores = relevances(
    files.map(({ path, text, changedAt }) => ({ path, text, ageDays: Math.max(0, now - changedAt) / DAY })),
    query,
  );
  return files.map(({ path, text }, index) => {
    const named = isWanted(path);
    const share = named ? maxTokens : Math.floor(maxTokens * SHARE_MAX);
    return {
      source: 'code',
      name: path,
      score: scores[index] ?? 0,
      reason: named ? 'the task names it' : 'the words of the task occur in it',
      fit: (tokens) => {
        const { text: part, isCut } = excerptOf(
          text,
          new Set(terms),
          Math.min(tokens, share) - tokensOf(path) - FENCE_TOKENS,
        );
        return { text: part.trim() === '' ? '' : `\`${path}\`\n${fenced(part, languageOf(path))}`, isCut };
      },
    };
  });
}

function languageOf(path: string): string {
  return /\.([A-Za-z]\w{0,7})$/.exec(path)?.[1]?.toLowerCase() ?? '';
}
