import { DatePicker, TimePicker } from '@arco-design/web-react';
import { useRef } from 'react';
import { type ControlProps, useAccessibleName } from './control.ts';
import { useCalendarKeys } from './use-calendar-keys.ts';

/** Picks a date with time, a date or a time of day, in the wire format. */
export default function DateTimeControl(props: ControlProps) {
  const { field, value, disabled, isWrong, onChange } = props;
  const { widget } = field.traits;
  const box = useRef<HTMLDivElement>(null);
  useAccessibleName(box, 'input', props);
  const keys = useCalendarKeys();
  const picker = {
    disabled,
    error: isWrong,
    allowClear: !field.required,
    ...(value ? { value: String(value) } : {}),
    onChange: (picked: string | undefined) => onChange(picked || undefined),
    ...keys.picker,
  };
  return (
    <div ref={box} {...keys.box}>
      {widget === 'time' ? (
        <TimePicker {...picker} format="HH:mm:ss" />
      ) : (
        <DatePicker {...picker} showTime={widget === 'date-time'} format={widget === 'date' ? 'YYYY-MM-DD' : 'YYYY-MM-DD HH:mm:ss'} />
      )}
    </div>
  );
}
