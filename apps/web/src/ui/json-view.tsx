import { type ReactNode, useMemo } from 'react';

import { type Json, parseJson } from '../lib/json.ts';
import { CopyButton } from './button.tsx';
import { ScrollRegion } from './page.tsx';

const colours = { string: 'text-good', number: 'text-info', boolean: 'text-warn', null: 'text-muted' } as const;
const OPEN_DEPTH = 3;

/** Shows stored JSON as a collapsible tree, and other text unchanged. */
export function JsonView({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const parsed = useMemo(() => parseJson(text), [text]);
  return (
    <div className="relative">
      <div className="absolute top-1 right-1">
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
      <ScrollRegion label={label} className="overflow-x-auto rounded-lg bg-sunken p-3 pr-11 font-mono text-[13px]">
        {parsed === undefined || parsed.kind === 'plain' ? (
          <span className="break-all whitespace-pre-wrap">{text === '' ? '(empty)' : text}</span>
        ) : (
          <Node value={parsed} depth={0} />
        )}
      </ScrollRegion>
    </div>
  );
}

interface NodeProps {
  readonly name?: string;
  readonly value: Json;
  readonly depth: number;
}

function Node({ name, value, depth }: NodeProps): ReactNode {
  const label = name === undefined ? null : <span className="text-muted">{name}: </span>;
  if (value.kind === 'plain') {
    const text = value.type === 'string' ? JSON.stringify(value.text) : value.text;
    return (
      <div className="break-words whitespace-pre-wrap">
        {label}
        <span className={colours[value.type]}>{text}</span>
      </div>
    );
  }
  const entries = value.kind === 'list' ? value.items.map((item, at) => [String(at), item] as const) : value.fields;
  const [open, close] = value.kind === 'list' ? '[]' : '{}';
  if (entries.length === 0) {
    return (
      <div>
        {label}
        {open}
        {close}
      </div>
    );
  }
  return (
    <details open={depth < OPEN_DEPTH}>
      <summary className="marker:text-muted">
        {label}
        {open}
        <span className="text-muted"> {entries.length} </span>
        {close}
      </summary>
      <div className="border-l border-line pl-4">
        {entries.map(([key, item], at) => (
          <Node key={`${at}:${key}`} name={key} value={item} depth={depth + 1} />
        ))}
      </div>
    </details>
  );
}
