import { DatePicker } from '@arco-design/web-react';
import { useEffect, useRef } from 'react';
import type { ControlProps } from './FieldControl.tsx';
import { setAttributes } from './NamedSelect.tsx';

/** Picks a moment of a form, as the wire writes it. */
export default function DateTimeControl({ field, id, value, disabled, isWrong, describedBy, onChange }: ControlProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const input = box.current?.querySelector('input');
    if (input) setAttributes(input, { id, 'aria-required': field.required, 'aria-invalid': isWrong || undefined, 'aria-describedby': describedBy });
  });
  return (
    <div ref={box}>
      <DatePicker
        showTime
        format="YYYY-MM-DD HH:mm:ss"
        disabled={disabled}
        error={isWrong}
        allowClear={!field.required}
        {...(value ? { value: String(value) } : {})}
        onChange={(moment: string | undefined) => onChange(moment || undefined)}
      />
    </div>
  );
}
