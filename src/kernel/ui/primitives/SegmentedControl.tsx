import { useId } from 'react';
import styles from './SegmentedControl.module.css';

/** One option of a segmented control. */
export interface Segment<Value extends string | number> {
  readonly value: Value;
  readonly label: string;
}

interface SegmentedControlProps<Value extends string | number> {
  readonly label: string;
  readonly value: Value;
  readonly segments: readonly Segment<Value>[];
  readonly onChange: (value: Value) => void;
}

/** Renders radio buttons side by side as one control; arrow keys move between them. */
export function SegmentedControl<Value extends string | number>({ label, value, segments, onChange }: SegmentedControlProps<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles.segments}>
      {segments.map((segment) => (
        <label key={segment.value} className={styles.segment}>
          <input type="radio" className="visually-hidden" name={name} checked={segment.value === value} onChange={() => onChange(segment.value)} />
          <span className={styles.text}>{segment.label}</span>
        </label>
      ))}
    </div>
  );
}
