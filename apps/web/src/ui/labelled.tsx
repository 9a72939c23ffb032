import { type ReactNode, useId } from 'react';

/** Attributes that connect a control with its label and help text. */
interface Names {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
}

interface LabelledProps {
  readonly label: string;
  readonly help?: ReactNode;
  readonly isLabelHidden?: boolean;
  /** Shown at the end of the label's line. */
  readonly beside?: ReactNode;
  readonly children: (names: Names) => ReactNode;
}

/** A control with its label and help text. */
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
