import { type ReactNode, useId } from 'react';
import { Switch } from '../../ui/primitives/Switch.tsx';
import styles from './SettingsPanel.module.css';

/** One option of a group of radio buttons. */
export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface ChoicesProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
}

/** Renders a group of radio buttons side by side; arrow keys move between them. */
export function Choices<Value extends string>({ label, value, choices, onChange }: ChoicesProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.row}>
      <legend className={styles.label}>{label}</legend>
      <div className={styles.segments}>
        {choices.map((choice) => (
          <label key={choice.value} className={styles.segment}>
            <input type="radio" className="visually-hidden" name={name} checked={choice.value === value} onChange={() => onChange(choice.value)} />
            <span className={styles.segmentText}>{choice.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
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
