import { useRef } from 'react';
import { useToday } from '../../platform/session/use-today.ts';
import { type ControlProps, useAccessibleName } from './control.ts';
import { SingleDatePicker } from './SingleDatePicker.tsx';
import type { DateWidget } from './use-date-input.ts';

/** Input for a date with time, a date or a time of day, in the wire format. */
export default function DateTimeControl(props: ControlProps) {
  const { field, value, disabled, isInvalid, onChange } = props;
  const { widget, endOfDay, notPast } = field.traits;
  const today = useToday();
  const box = useRef<HTMLDivElement>(null);
  useAccessibleName(box, 'input', props);
  return (
    <div ref={box}>
      <SingleDatePicker
        widget={widget as DateWidget}
        value={value}
        disabled={disabled}
        isInvalid={isInvalid}
        allowClear={!field.required}
        endOfDay={endOfDay || undefined}
        {...(notPast ? { firstDay: today } : {})}
        onChange={onChange}
      />
    </div>
  );
}
