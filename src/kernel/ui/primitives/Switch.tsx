import type { InputHTMLAttributes } from 'react';
import styles from './Switch.module.css';

interface SwitchProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'role' | 'className' | 'checked' | 'onChange'> {
  readonly isOn: boolean;
  /** True while a change is being carried out; the switch cannot be used meanwhile. */
  readonly isBusy?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Renders a switch of a boolean value. Its name is that of the surrounding label, or `aria-label`. */
export function Switch({ isOn, isBusy = false, disabled = false, onChange, ...input }: SwitchProps) {
  return (
    <input
      {...input}
      type="checkbox"
      role="switch"
      className={styles.switch}
      checked={isOn}
      aria-checked={isOn}
      aria-busy={isBusy || undefined}
      disabled={disabled || isBusy}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
