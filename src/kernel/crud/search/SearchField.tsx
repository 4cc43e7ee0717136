import { Input } from '@arco-design/web-react';
import { memo, useId } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import { DateRangeControl } from './DateRangeControl.tsx';
import FilterPicker, { type FilterTrees } from './FilterPicker.tsx';
import { hasOptions } from './operators.ts';
import { RangeControl } from './RangeControl.tsx';

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
