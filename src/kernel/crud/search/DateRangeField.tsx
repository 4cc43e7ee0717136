import { Input } from '@arco-design/web-react';
import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { DateRangePickerProps, DateRangeProps } from './DateRangeControl.tsx';

/** Stages of demand for the picker before it is loaded; the stage never decreases. */
const Wish = { none: 0, near: 1, focused: 2, open: 3 } as const;

/** Field of a time range. The calendar is heavy and rarely used: it is loaded when the pointer or the focus comes near. */
export function DateRangeField(props: DateRangeProps) {
  const t = useTranslation();
  const [Picker, setPicker] = useState<ComponentType<DateRangePickerProps>>();
  const [wish, setWish] = useState<number>(Wish.none);
  const isWanted = wish > Wish.none || props.value !== undefined;
  const ask = (more: number) => setWish((before) => Math.max(before, more));

  useEffect(() => {
    if (!isWanted) return;
    import('./DateRangeControl.tsx').then(
      (module) => setPicker(() => module.default),
      () => setWish(Wish.none),
    );
  }, [isWanted]);

  if (Picker) return <Picker {...props} isFocused={wish >= Wish.focused} isOpen={wish >= Wish.open} />;
  return (
    <Input
      id={props.id}
      readOnly
      placeholder={`${t('crud.start')} - ${t('crud.end')}`}
      onMouseEnter={() => ask(Wish.near)}
      onFocus={() => ask(Wish.focused)}
      onClick={() => ask(Wish.open)}
    />
  );
}
