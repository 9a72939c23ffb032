import { type ReactNode, useId } from 'react';

/** What a control needs to belong to its label and its help. */
interface Names {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
}

interface LabelledProps {
  readonly label: string;
  readonly help?: ReactNode;
  readonly isLabelHidden?: boolean;
  /** At the end of the line of the label. */
  readonly beside?: ReactNode;
  readonly children: (names: Names) => ReactNode;
}

/** A control below its label and, below it, what to write there. */
export function Labelled(props: LabelledProps): ReactNode {
  const { label, help, isLabelHidden = false, beside, children } = props;
  const id = useId();
  const helpId = `${id}-help`;
  return (
    <div className="grid min-w-0 gap-1.5">
      <div className={isLabelHidden ? 'sr-only' : 'flex items-center justify-between gap-3 text-[13px] font-medium'}>
        <label htmlFor={id}>{label}</label>
        {beside}
      </div>
      {children({ id, 'aria-describedby': help === undefined ? undefined : helpId })}
      {help !== undefined && (
        <p id={helpId} className="text-[13px] text-muted">
          {help}
        </p>
      )}
    </div>
  );
}
