import { DatePicker } from '@arco-design/web-react';
import { useRef } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { type ControlProps, useInputNames } from './control.ts';
import { useCalendarKeys } from './use-calendar-keys.ts';

/** Input for a period; the value contains both times in the wire format, separated by a comma. */
export default function PeriodControl({ field, id, value, disabled, isInvalid, describedBy, onChange }: ControlProps) {
  const t = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const keys = useCalendarKeys();
  const name = t(field.traits.title);
  useInputNames(box, [t('crud.from', { name }), t('crud.to', { name })], id, {
    'aria-required': field.required,
    'aria-invalid': isInvalid || undefined,
    'aria-describedby': describedBy,
  });
  return (
    <div ref={box} className="crud-range" {...keys.box}>
      <DatePicker.RangePicker
        showTime={{ defaultValue: ['00:00:00', '23:59:59'] }}
        format="YYYY-MM-DD HH:mm:ss"
        placeholder={[t('crud.start'), t('crud.end')]}
        disabled={disabled}
        error={isInvalid}
        allowClear={!field.required}
        value={value ? String(value).split(',') : []}
        onChange={(picked: string[] | undefined) => onChange(picked?.length === 2 ? picked.join() : undefined)}
        {...keys.picker}
      />
    </div>
  );
}
