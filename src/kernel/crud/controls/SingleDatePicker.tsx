import { DatePicker, TimePicker } from '@arco-design/web-react';
import type { ComponentProps } from 'react';
import { type DateWidget, useDateInput } from './use-date-input.ts';

type Dayjs = Parameters<NonNullable<ComponentProps<typeof DatePicker>['disabledDate']>>[0];

interface SingleDatePickerProps {
  readonly widget: DateWidget;
  readonly value: unknown;
  readonly disabled?: boolean;
  readonly isInvalid?: boolean;
  readonly allowClear?: boolean;
  /** Time of a day without one: true for its end, false for its start. Without it, a picked day has the current time, and a typed one starts. */
  readonly endOfDay?: boolean | undefined;
  /** First day that can be picked. */
  readonly firstDay?: string;
  readonly onChange: (value: string | undefined) => void;
}

/** Picks a date with time, a date or a time of day, in the wire format. */
export function SingleDatePicker(props: SingleDatePickerProps) {
  const { widget, value, disabled = false, isInvalid = false, allowClear = true, endOfDay, firstDay, onChange } = props;
  const defaultTime = endOfDay ? '23:59:59' : '00:00:00';
  const input = useDateInput(widget, [defaultTime], ([date]) => onChange(date));
  const picker = {
    disabled,
    error: isInvalid,
    allowClear,
    ...(value ? { value: String(value) } : {}),
    onChange: (picked: string | undefined) => onChange(picked || undefined),
  };
  return (
    <div {...input.box}>
      {widget === 'time' ? (
        <TimePicker {...picker} triggerProps={{ escToClose: true }} format="HH:mm:ss" />
      ) : (
        <DatePicker
          {...picker}
          {...input.calendar}
          showTime={widget === 'date-time' && (endOfDay === undefined ? true : { defaultValue: defaultTime })}
          format={widget === 'date' ? 'YYYY-MM-DD' : 'YYYY-MM-DD HH:mm:ss'}
          {...(firstDay ? { disabledDate: (day: Dayjs) => day.format('YYYY-MM-DD') < firstDay } : {})}
        />
      )}
    </div>
  );
}
