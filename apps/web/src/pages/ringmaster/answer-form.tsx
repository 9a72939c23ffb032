import { type ReactNode, useState } from 'react';

import { ringmasterApi } from '../../api/clients.ts';
import type { Inquiry } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { useMay } from '../../lib/permissions.ts';
import { Badge, Tag } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { controlClass } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { ToTask } from './task-link.tsx';

interface AnswerProps {
  readonly workspace: string;
  readonly inquiry: Inquiry;
}

/** Answers a decision or question with one of its options, or with free text if it offers none. */
export function AnswerForm({ workspace, inquiry }: AnswerProps): ReactNode {
  const { task_id: id, title, type, context, options, recommendation, urgency } = inquiry;
  const [text, setText] = useState('');
  const mayAnswer = useMay('app:ringmaster:write');
  const answer = useAction({
    failed: 'Could not send the answer',
    done: () => (type === 'decision' ? 'Answered. Blocked work can continue.' : 'Answered'),
    touches: ['ringmaster'],
    run: (given: string) =>
      ringmasterApi.POST('/workspaces/{workspace}/inquiries/{inquiry}/answer', {
        params: { workspace, inquiry: id },
        body: { answer: given },
      }),
  });
  return (
    <article aria-label={title} className="grid gap-3 px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Badge tone="warn">{type === 'decision' ? 'Decision' : 'Question'}</Badge>
        {urgency === 'high' && <Badge tone="bad">Urgent</Badge>}
        <span className="text-[13px] text-muted">
          about{' '}
          <ToTask workspace={workspace} id={inquiry.about_id}>
            {inquiry.about_title}
          </ToTask>
        </span>
      </div>
      <p dir="auto" className="font-medium break-words">
        {title}
      </p>
      {context !== null && context !== '' && <LongText text={context} />}
      {mayAnswer && (
        <>
          {options.length > 0 ? (
            <div role="group" aria-label="Options" className="flex flex-wrap gap-2">
              {options.map((option) => (
                <Button key={option} size="small" isBusy={answer.isPending} onClick={() => answer.mutate(option)}>
                  {option}
                  {option === recommendation && <Tag>recommended</Tag>}
                </Button>
              ))}
            </div>
          ) : (
            <Form
              className="flex flex-wrap gap-2"
              onSubmit={() => {
                if (text.trim() !== '') answer.mutate(text.trim());
              }}
            >
              <input
                dir="auto"
                aria-label={`Answer to: ${title}`}
                placeholder="Your answer"
                className={`${controlClass} flex-1 basis-48`}
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
              <Button type="submit" variant="primary" isBusy={answer.isPending} disabled={text.trim() === ''}>
                Send answer
              </Button>
            </Form>
          )}
        </>
      )}
    </article>
  );
}
