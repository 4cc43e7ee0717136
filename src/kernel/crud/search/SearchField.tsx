import { DatePicker, Input } from '@arco-design/web-react';
import { memo, useId, useRef } from 'react';
import { isEmpty } from '#shared/text';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useInputNames } from '../controls/control.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import { ConditionValue } from './ConditionValue.tsx';
import FilterPicker, { type FilterTrees } from './FilterPicker.tsx';
import { hasOptions } from './operators.ts';

interface SearchFieldProps extends FilterTrees {
  readonly field: ScreenField;
  readonly value: unknown;
  readonly onChange: (name: string, value: unknown) => void;
}

const isWide = ({ traits }: ScreenField) => traits.widget === 'date-time' || traits.compare === 'between';

/** Renders one filter of the search area with its label. */
export const SearchField = memo(function SearchField({ field, value, onChange, ...trees }: SearchFieldProps) {
  const t = useTranslation();
  const id = useId();
  const { widget, title, compare } = field.traits;
  const name = t(title);
  const become = (value: unknown) => onChange(field.name, value);
  const props = { id, name, value, onChange: become };
  return (
    <div className={isWide(field) ? 'crud-filters__field crud-filters__field_wide' : 'crud-filters__field'}>
      <label id={`${id}-label`} htmlFor={id}>
        {name}
      </label>
      {widget === 'date-time' ? (
        <DateRangeControl {...props} />
      ) : compare === 'between' ? (
        <RangeControl {...trees} {...props} field={field} />
      ) : hasOptions(widget) ? (
        <FilterPicker {...trees} {...props} field={field} />
      ) : (
        <Input id={id} allowClear value={value === undefined ? '' : String(value)} onChange={become} />
      )}
    </div>
  );
});

interface DateRangeProps {
  readonly id: string;
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (range: readonly string[] | undefined) => void;
}

/** Picks a range of times in the wire format. */
function DateRangeControl({ id, name, value, onChange }: DateRangeProps) {
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

type RangeBound = string | number | undefined;

interface RangeControlProps extends FilterTrees {
  readonly field: ScreenField;
  readonly id: string;
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (bounds: readonly RangeBound[] | undefined) => void;
}

/** Enters the minimum and the maximum of a field in the control of its kind; either may stay open. */
function RangeControl({ field, id, name, value, onChange, ...trees }: RangeControlProps) {
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
