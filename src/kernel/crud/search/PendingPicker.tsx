import type { InputHTMLAttributes } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';

interface PendingPickerProps {
  readonly id: string;
  readonly isPicked: boolean;
  /** Text without a value; “any” by default. */
  readonly placeholder?: string | undefined;
}

/** Placeholder that looks like a picker until the picker is loaded. */
export function PendingPicker({ id, isPicked, placeholder }: PendingPickerProps) {
  const t = useTranslation();
  return (
    <span className="crud-line-picker">
      <LineInput id={id} readOnly placeholder={isPicked ? '' : (placeholder ?? t('crud.any'))} />
      <Icon name="chevronDown" size={14} />
    </span>
  );
}

/** Renders a text input of the line of a list: the browser's own, in the look of Arco's, whose code a list does not need before its first rows. */
export function LineInput(props: InputHTMLAttributes<HTMLInputElement>) {
  return <input {...props} type="text" className="arco-input arco-input-size-default crud-line-input" />;
}
