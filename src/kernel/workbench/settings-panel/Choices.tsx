import { type ReactNode, useId } from 'react';
import { type Segment, SegmentedControl } from '../../ui/primitives/SegmentedControl.tsx';
import { Switch } from '../../ui/primitives/Switch.tsx';
import styles from './SettingsPanel.module.css';

interface ChoicesProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly Segment<Value>[];
  readonly onChange: (value: Value) => void;
}

/** Renders the choice of a setting beside its label. */
export function Choices<Value extends string>({ label, value, choices, onChange }: ChoicesProps<Value>) {
  return (
    <div className={`${styles.row} ${styles.choice}`}>
      <span className={styles.label} aria-hidden="true">
        {label}
      </span>
      <SegmentedControl label={label} value={value} segments={choices} onChange={onChange} />
    </div>
  );
}

interface SwitchRowProps {
  readonly label: string;
  /** Explains the effect where the label does not suffice. */
  readonly hint?: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Renders a switch for a boolean setting, with its label and hint. */
export function SwitchRow({ label, hint, isOn, onChange }: SwitchRowProps) {
  const id = useId();
  const hintId = useId();
  return (
    <label className={styles.row} htmlFor={id}>
      <span>
        <span className={styles.label}>{label}</span>
        {hint && (
          <span id={hintId} className={styles.hint}>
            {hint}
          </span>
        )}
      </span>
      <Switch id={id} aria-label={label} aria-describedby={hint && hintId} isOn={isOn} onChange={onChange} />
    </label>
  );
}

/** Renders settings under one heading. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
