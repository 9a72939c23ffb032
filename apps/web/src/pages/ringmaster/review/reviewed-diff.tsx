import { MessageSquarePlus, X } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import { type PatchFile, patchFiles, patchRows, type Piece, type Side, type SideRow } from '../../../lib/diff.ts';
import { IconButton } from '../../../ui/button.tsx';
import { controlClass } from '../../../ui/field.tsx';
import { ScrollRegion } from '../../../ui/page.tsx';
import { type LineComments, setComment } from './line-comments.ts';

interface ReviewedDiffProps {
  readonly task: string;
  readonly patch: string;
  readonly isSplit: boolean;
  readonly comments: LineComments;
  readonly mayComment: boolean;
}

/** The changes of a task. A click on a line adds a comment to it. */
export function ReviewedDiff({ patch, ...rest }: ReviewedDiffProps): ReactNode {
  const files = useMemo(() => patchFiles(patch), [patch]);
  return files.map((file) => <FileDiff key={file.path} file={file} {...rest} />);
}

interface FileDiffProps extends Omit<ReviewedDiffProps, 'patch'> {
  readonly file: PatchFile;
}

function FileDiff({ file: { path, lines }, ...rest }: FileDiffProps): ReactNode {
  const rows = useMemo(() => patchRows(lines), [lines]);
  const columns = rest.isSplit ? 4 : 2;
  return (
    <details open className="min-w-0 overflow-hidden rounded-lg border border-line">
      <summary className="bg-sunken px-3 py-1.5 font-mono text-[13px] break-all -outline-offset-2">{path}</summary>
      <ScrollRegion label={`Changes in ${path}`} className="overflow-x-auto">
        <table className="w-full border-collapse font-mono text-[13px] leading-5">
          <tbody>
            {rows.map((row, at) =>
              typeof row === 'string' ? (
                <tr key={at}>
                  <td colSpan={columns} className="border-y border-line bg-sunken px-3 py-0.5 text-info">
                    {row}
                  </td>
                </tr>
              ) : (
                <DiffRow key={at} row={row} path={path} columns={columns} {...rest} />
              ),
            )}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  );
}

interface DiffRowProps extends Omit<FileDiffProps, 'file'> {
  readonly row: SideRow;
  readonly path: string;
  readonly columns: number;
}

function DiffRow({ row, isSplit, ...rest }: DiffRowProps): ReactNode {
  const { isSame, left, right } = row;
  const { path, columns, comments, task } = rest;
  const names = [
    left === undefined || isSame ? '' : nameOf(path, left, true),
    right === undefined ? '' : nameOf(path, right),
  ];
  const commented = names.filter((name) => comments.has(name));
  return (
    <>
      {isSplit ? (
        <tr className="align-top">
          <Cells side={left} kind={isSame ? 'same' : 'removed'} canComment={!isSame} {...rest} />
          <Cells side={right} kind={isSame ? 'same' : 'added'} canComment {...rest} />
        </tr>
      ) : (
        <Unified row={row} {...rest} />
      )}
      {commented.map((name) => (
        <CommentRow key={name} task={task} name={name} columns={columns} text={comments.get(name) ?? ''} />
      ))}
    </>
  );
}

function Unified({ row, ...rest }: Omit<DiffRowProps, 'isSplit'>): ReactNode {
  const { isSame, left, right } = row;
  return (
    <>
      {!isSame && left !== undefined && (
        <tr className="align-top">
          <Cells side={left} kind="removed" canComment {...rest} />
        </tr>
      )}
      {right !== undefined && (
        <tr className="align-top">
          <Cells side={right} kind={isSame ? 'same' : 'added'} canComment {...rest} />
        </tr>
      )}
    </>
  );
}

/** Returns the name of a line for a comment. For a removed line, uses the line number in the earlier version. */
function nameOf(path: string, { line }: Side, isRemoved: boolean = false): string {
  return `${path}:${line}${isRemoved ? ' (removed line)' : ''}`;
}

const styles = {
  same: { row: '', piece: '', word: '', sign: '' },
  removed: { row: 'bg-bad-soft', piece: 'rounded-xs bg-bad/25', word: 'removed: ', sign: '−' },
  added: { row: 'bg-good-soft', piece: 'rounded-xs bg-good/25', word: 'added: ', sign: '+' },
} as const;

interface CellsProps extends Pick<DiffRowProps, 'path' | 'task' | 'mayComment' | 'comments'> {
  readonly side: Side | undefined;
  readonly kind: keyof typeof styles;
  readonly canComment: boolean;
}

function Cells({ side, kind, canComment, path, task, mayComment, comments }: CellsProps): ReactNode {
  if (side === undefined) return <td colSpan={2} className="bg-sunken" />;
  const { row, piece, word, sign } = styles[kind];
  const name = nameOf(path, side, kind === 'removed');
  return (
    <>
      <td className={`w-12 p-0 text-right text-muted tabular-nums select-none ${row}`}>
        {mayComment && canComment && !comments.has(name) ? (
          <button
            type="button"
            aria-label={`Comment on ${name}`}
            title="Add a comment"
            onClick={() => setComment(task, name, '')}
            className="group/line flex w-full items-center justify-end gap-1 px-2 -outline-offset-2 hover:bg-accent-soft hover:text-accent-strong"
          >
            <MessageSquarePlus className="size-3 opacity-0 group-hover/line:opacity-100" aria-hidden />
            {side.line}
          </button>
        ) : (
          <span className="px-2">{side.line}</span>
        )}
      </td>
      <td className={`px-2 break-words whitespace-pre-wrap ${row}`}>
        {word !== '' && <span className="sr-only">{word}</span>}
        <span aria-hidden className="mr-2 inline-block w-2 select-none">
          {sign}
        </span>
        {side.pieces.map((each, at) => (
          <Text key={at} piece={each} className={piece} />
        ))}
      </td>
    </>
  );
}

function Text({ piece, className }: { readonly piece: Piece; readonly className: string }): ReactNode {
  return piece.isChanged ? <span className={className}>{piece.text}</span> : piece.text;
}

interface CommentRowProps {
  readonly task: string;
  readonly name: string;
  readonly columns: number;
  readonly text: string;
}

function CommentRow({ task, name, columns, text }: CommentRowProps): ReactNode {
  return (
    <tr>
      <td colSpan={columns} className="border-y border-line bg-accent-soft p-2 font-sans">
        <div className="flex items-start gap-2">
          <textarea
            // The reader has just clicked the line.
            autoFocus={text === ''}
            rows={2}
            aria-label={`Comment on ${name}`}
            placeholder="What should change here?"
            className={`${controlClass} h-auto flex-1 py-1.5`}
            value={text}
            onChange={({ target }) => setComment(task, name, target.value)}
          />
          <IconButton
            icon={X}
            label={`Remove the comment on ${name}`}
            onClick={() => setComment(task, name, undefined)}
          />
        </div>
      </td>
    </tr>
  );
}
