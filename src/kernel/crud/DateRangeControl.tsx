import { DatePicker } from '@arco-design/web-react';
import { useEffect, useRef } from 'react';
import { useText } from '../i18n/use-words.ts';
import { setAttributes } from './NamedSelect.tsx';

interface DateRangeProps {
  readonly id: string;
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (range: readonly string[] | undefined) => void;
}

/** Picks from when to when, as the wire writes moments. */
export default function DateRangeControl({ id, name, value, onChange }: DateRangeProps) {
  const text = useText();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const names = [text('crud.from', { name }), text('crud.to', { name })];
    box.current?.querySelectorAll('input').forEach((input, index) => {
      setAttributes(input, { 'aria-label': names[index], ...(index === 0 ? { id } : {}) });
    });
  });
  return (
    <div ref={box} className="crud-range">
      <DatePicker.RangePicker
        showTime={{ defaultValue: ['00:00:00', '23:59:59'] }}
        format="YYYY-MM-DD HH:mm:ss"
        placeholder={[text('crud.start'), text('crud.end')]}
        value={Array.isArray(value) ? value : []}
        onChange={(range: string[] | undefined) => onChange(range)}
      />
    </div>
  );
}
