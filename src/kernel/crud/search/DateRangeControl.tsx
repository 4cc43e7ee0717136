import { DatePicker } from '@arco-design/web-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useInputNames } from '../controls/control.ts';

/** Props of a picker of a time range. */
export interface DateRangeProps {
  readonly id: string;
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (range: readonly string[] | undefined) => void;
}

/** The picker takes over the focus and the open state of its placeholder. */
export interface DateRangePickerProps extends DateRangeProps {
  readonly isFocused: boolean;
  readonly isOpen: boolean;
}

/** Picks a range of times in the wire format; it takes over the focus of its placeholder. */
export default function DateRangeControl({ id, name, value, onChange, isFocused, isOpen }: DateRangePickerProps) {
  const t = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const [isShown, setIsShown] = useState(isOpen);
  const mayTakeFocus = useRef(isFocused);
  useInputNames(box, [t('crud.from', { name }), t('crud.to', { name })], id);

  useEffect(() => {
    if (mayTakeFocus.current) box.current?.querySelector('input')?.focus();
    mayTakeFocus.current = false;
  }, []);

  return (
    <div ref={box} className="crud-range">
      <DatePicker.RangePicker
        showTime={{ defaultValue: ['00:00:00', '23:59:59'] }}
        format="YYYY-MM-DD HH:mm:ss"
        placeholder={[t('crud.start'), t('crud.end')]}
        popupVisible={isShown}
        onVisibleChange={(visible) => setIsShown(visible ?? false)}
        value={Array.isArray(value) ? value : []}
        onChange={(range: string[] | undefined) => onChange(range)}
      />
    </div>
  );
}
