import { useRef } from 'react';
import { isEmpty } from '#shared/text';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useInputNames } from '../controls/control.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import { ConditionValue } from './ConditionValue.tsx';
import type { FilterTrees } from './FilterPicker.tsx';

type RangeBound = string | number | undefined;

interface RangeControlProps extends FilterTrees {
  readonly field: ScreenField;
  readonly id: string;
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (bounds: readonly RangeBound[] | undefined) => void;
}

/** Enters the minimum and the maximum of a field in the control of its kind; either may stay open. */
export function RangeControl({ field, id, name, value, onChange, ...trees }: RangeControlProps) {
  const t = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const [min, max] = [0, 1].map((end) => (Array.isArray(value) && !isEmpty(value[end]) ? (value[end] as RangeBound) : undefined));
  const become = (bounds: readonly RangeBound[]) => onChange(bounds.every(isEmpty) ? undefined : bounds.map((bound) => bound ?? ''));
  useInputNames(box, [t('crud.least', { name }), t('crud.most', { name })], id);

  return (
    <div ref={box} className="crud-bounds">
      <ConditionValue {...trees} field={field} value={min} onChange={(bound) => become([bound, max])} />
      <span aria-hidden="true">–</span>
      <ConditionValue {...trees} isEnd field={field} value={max} onChange={(bound) => become([min, bound])} />
    </div>
  );
}
