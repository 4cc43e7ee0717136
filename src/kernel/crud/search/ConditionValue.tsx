import { DatePicker, Input, InputNumber, TimePicker } from '@arco-design/web-react';
import { useId } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import FilterPicker, { type FilterTrees } from './FilterPicker.tsx';
import { hasOptions } from './operators.ts';

/** Props of the control of a condition's value. */
export interface ConditionValueProps extends FilterTrees {
  readonly field: ScreenField;
  readonly value: string | number | boolean | undefined;
  readonly onChange: (value: string | number | undefined) => void;
}

/** Enters the value a field is compared with, in the control of its kind. */
export function ConditionValue({ field, value, onChange, ...trees }: ConditionValueProps) {
  const t = useTranslation();
  const id = useId();
  const label = t('table.filterValue');
  const shown = value === undefined ? undefined : String(value);
  if (hasOptions(field.traits.widget))
    return (
      <span>
        <span id={`${id}-label`} className="visually-hidden">
          {label}
        </span>
        <FilterPicker {...trees} field={field} id={id} name={label} value={value} onChange={(picked) => onChange(picked as string | undefined)} />
      </span>
    );
  switch (field.traits.widget) {
    case 'date-time':
      return <DatePicker showTime format="YYYY-MM-DD HH:mm:ss" {...(shown ? { value: shown } : {})} onChange={onChange} />;
    case 'date':
      return <DatePicker format="YYYY-MM-DD" {...(shown ? { value: shown } : {})} onChange={onChange} />;
    case 'time':
      return <TimePicker format="HH:mm:ss" {...(shown ? { value: shown } : {})} onChange={onChange} />;
    case 'money':
      return (
        <InputNumber
          aria-label={label}
          prefix="¥"
          precision={2}
          {...(value === undefined ? {} : { value: Number(value) / 100 })}
          onChange={(yuan: number | undefined) => onChange(yuan === undefined ? undefined : Math.round(yuan * 100))}
        />
      );
    case 'number':
      return <InputNumber aria-label={label} {...(value === undefined ? {} : { value: Number(value) })} onChange={onChange} />;
    default:
      return <Input aria-label={label} value={shown ?? ''} onChange={(typed) => onChange(typed || undefined)} />;
  }
}
