import { DatePicker } from '@arco-design/web-react';
import { useRef } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useInputNames } from '../controls/control.ts';

interface DateRangeProps {
  readonly id: string;
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (range: readonly string[] | undefined) => void;
}

/** Picks a range of times in the wire format. */
export function DateRangeControl({ id, name, value, onChange }: DateRangeProps) {
  const t = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  useInputNames(box, [t('crud.from', { name }), t('crud.to', { name })], id);
  return (
    <div ref={box} className="crud-range">
      <DatePicker.RangePicker
        showTime={{ defaultValue: ['00:00:00', '23:59:59'] }}
        format="YYYY-MM-DD HH:mm:ss"
        placeholder={[t('crud.start'), t('crud.end')]}
        value={Array.isArray(value) ? value : []}
        onChange={(range: string[] | undefined) => onChange(range)}
      />
    </div>
  );
}
