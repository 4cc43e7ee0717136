import { DatePicker } from '@arco-design/web-react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useDateInput } from './use-date-input.ts';

interface DateRangePickerProps {
  readonly value: readonly string[];
  readonly disabled?: boolean;
  readonly isInvalid?: boolean;
  readonly allowClear?: boolean;
  readonly onChange: (range: readonly [string, string] | undefined) => void;
}

const defaultTimes = ['00:00:00', '23:59:59'];

/** Picks the first and the last date with time of a range, in the wire format. */
export function DateRangePicker({ value, disabled = false, isInvalid = false, allowClear = true, onChange }: DateRangePickerProps) {
  const t = useTranslation();
  const input = useDateInput('date-time', defaultTimes, (dates) => {
    const [from, to] = dates.map((date, index) => date ?? value[index]);
    if (from !== undefined && to !== undefined && from <= to) onChange([from, to]);
  });
  return (
    <div {...input.box}>
      <DatePicker.RangePicker
        showTime={{ defaultValue: defaultTimes }}
        format="YYYY-MM-DD HH:mm:ss"
        placeholder={[t('crud.start'), t('crud.end')]}
        disabled={disabled}
        error={isInvalid}
        allowClear={allowClear}
        value={[...value]}
        onChange={(picked: string[] | undefined) => {
          const [from, to] = picked ?? [];
          onChange(from && to ? [from, to] : undefined);
        }}
        {...input.calendar}
      />
    </div>
  );
}
