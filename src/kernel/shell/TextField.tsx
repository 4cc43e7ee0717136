import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import styles from './TextField.module.css';

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What is wrong with it; the field is marked and described by it. */
  readonly problem?: string | undefined;
  /** Said below the field while nothing is wrong. */
  readonly hint?: string | undefined;
  /** The id of something else that describes it. */
  readonly describedBy?: string | undefined;
  /** Stands at the end, inside of the field's box. */
  readonly trailing?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A labelled line of text over the browser's own input, so that password managers and paste work as they always do. */
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
