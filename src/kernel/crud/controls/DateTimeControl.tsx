import { DatePicker, TimePicker } from '@arco-design/web-react';
import { type ComponentProps, useRef } from 'react';
import { useToday } from '../../platform/session/use-today.ts';
import { type ControlProps, useAccessibleName } from './control.ts';
import { useCalendarKeys } from './use-calendar-keys.ts';

type Dayjs = Parameters<NonNullable<ComponentProps<typeof DatePicker>['disabledDate']>>[0];

/** Picks a date with time, a date or a time of day, in the wire format. */
export default function DateTimeControl(props: ControlProps) {
  const { field, value, disabled, isInvalid, onChange } = props;
  const { widget, endOfDay, notPast } = field.traits;
  const today = useToday();
  const box = useRef<HTMLDivElement>(null);
  useAccessibleName(box, 'input', props);
  const keys = useCalendarKeys();
  const picker = {
    disabled,
    error: isInvalid,
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
        <DatePicker
          {...picker}
          showTime={widget === 'date-time' && (endOfDay ? { defaultValue: '23:59:59' } : true)}
          format={widget === 'date' ? 'YYYY-MM-DD' : 'YYYY-MM-DD HH:mm:ss'}
          {...(notPast ? { disabledDate: (day: Dayjs) => day.format('YYYY-MM-DD') < today } : {})}
        />
      )}
    </div>
  );
}
