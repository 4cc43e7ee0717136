import { useRef } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { type ControlProps, useInputNames } from './control.ts';
import { DateRangePicker } from './DateRangePicker.tsx';

/** Input for a period; the value contains both times in the wire format, separated by a comma. */
export default function PeriodControl({ field, id, value, disabled, isInvalid, describedBy, onChange }: ControlProps) {
  const t = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const name = t(field.traits.title);
  useInputNames(box, [t('crud.from', { name }), t('crud.to', { name })], id, {
    'aria-required': field.required,
    'aria-invalid': isInvalid || undefined,
    'aria-describedby': describedBy,
  });
  return (
    <div ref={box} className="crud-range">
      <DateRangePicker
        value={value ? String(value).split(',') : []}
        disabled={disabled}
        isInvalid={isInvalid}
        allowClear={!field.required}
        onChange={(range) => onChange(range?.join())}
      />
    </div>
  );
}
