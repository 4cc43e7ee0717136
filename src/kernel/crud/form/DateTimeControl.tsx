import { DatePicker, TimePicker } from '@arco-design/web-react';
import { type KeyboardEvent, useRef } from 'react';
import { type ControlProps, useNaming } from './controls/control.ts';

/** Picks a moment, a day or a time of day, as the wire writes them. Escape closes the calendar alone, not the form around it. */
export default function DateTimeControl(props: ControlProps) {
  const { field, value, disabled, isWrong, onChange } = props;
  const { widget } = field.traits;
  const box = useRef<HTMLDivElement>(null);
  useNaming(box, 'input', props);
  const isOpen = useRef(false);
  const wasOpen = useRef(false);
  const picker = {
    disabled,
    error: isWrong,
    allowClear: !field.required,
    ...(value ? { value: String(value) } : {}),
    onChange: (picked: string | undefined) => onChange(picked || undefined),
    onVisibleChange: (visible: boolean | undefined) => {
      isOpen.current = visible === true;
    },
    triggerProps: { escToClose: true },
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && wasOpen.current) event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears what the field in it leaves over.
    <div
      ref={box}
      onKeyDownCapture={() => {
        wasOpen.current = isOpen.current;
      }}
      onKeyDown={onKeyDown}
    >
      {widget === 'time' ? (
        <TimePicker {...picker} format="HH:mm:ss" />
      ) : (
        <DatePicker {...picker} showTime={widget === 'date-time'} format={widget === 'date' ? 'YYYY-MM-DD' : 'YYYY-MM-DD HH:mm:ss'} />
      )}
    </div>
  );
}
