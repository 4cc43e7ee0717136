import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import styles from './TextField.module.css';

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Error message; the field is marked invalid and described by it. */
  readonly problem?: string | undefined;
  /** Hint below the field, hidden while there is an error. */
  readonly hint?: string | undefined;
  /** Id of another element that describes the field. */
  readonly describedBy?: string | undefined;
  /** Content at the end of the field, inside its border. */
  readonly trailing?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

/** Renders a labelled native text input, so that password managers and paste work as usual. */
export function TextField({ label, value, onChange, problem, hint, describedBy, trailing, ref, ...input }: TextFieldProps) {
  const id = useId();
  const below = problem ?? hint;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-problem={problem !== undefined}>
        <input
          {...input}
          ref={ref}
          id={id}
          className={styles.input}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={problem !== undefined}
          aria-describedby={[below && `${id}-below`, describedBy].filter(Boolean).join(' ') || undefined}
        />
        {trailing}
      </div>
      <p id={`${id}-below`} className={problem ? styles.problem : styles.hint}>
        {below}
      </p>
    </div>
  );
}
