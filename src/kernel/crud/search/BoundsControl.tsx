import { useEffect, useRef } from 'react';
import { isEmpty } from '#shared/text';
import { useText } from '../../i18n/use-words.ts';
import type { ScreenField } from '../entity-fields.ts';
import { setAttributes } from '../NamedSelect.tsx';
import { ConditionValue } from './ConditionValue.tsx';
import type { FilterTrees } from './FilterPicker.tsx';

type Bound = string | number | undefined;

interface BoundsProps extends FilterTrees {
  readonly field: ScreenField;
  readonly id: string;
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (bounds: readonly Bound[] | undefined) => void;
}

/** Takes the least and the most a field may be, as its kind asks; either may stay open. */
export default function BoundsControl({ field, id, name, value, onChange, ...trees }: BoundsProps) {
  const text = useText();
  const box = useRef<HTMLDivElement>(null);
  const [least, most] = [0, 1].map((end) => (Array.isArray(value) && !isEmpty(value[end]) ? (value[end] as Bound) : undefined));
  const become = (bounds: readonly Bound[]) => onChange(bounds.every(isEmpty) ? undefined : bounds.map((bound) => bound ?? ''));

  useEffect(() => {
    const names = [text('crud.least', { name }), text('crud.most', { name })];
    box.current?.querySelectorAll('input').forEach((input, index) => {
      setAttributes(input, { 'aria-label': names[index], ...(index === 0 ? { id } : {}) });
    });
  });

  return (
    <div ref={box} className="crud-bounds">
      <ConditionValue {...trees} field={field} value={least} onChange={(bound) => become([bound, most])} />
      <span aria-hidden="true">–</span>
      <ConditionValue {...trees} field={field} value={most} onChange={(bound) => become([least, bound])} />
    </div>
  );
}
