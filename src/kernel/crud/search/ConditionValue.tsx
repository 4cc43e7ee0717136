import { Input } from '@arco-design/web-react';
import { useId } from 'react';
import type { LocalizedText } from '#shared/text';
import { fieldProblem } from '#shared/validation';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { NumberInput } from '../controls/NumberInput.tsx';
import { SingleDatePicker } from '../controls/SingleDatePicker.tsx';
import type { ScreenField } from '../model/entity-fields.ts';
import FilterPicker, { type FilterTrees } from './FilterPicker.tsx';
import { hasExcessDecimals } from './filter-decimals.ts';
import { hasOptions } from './operators.ts';

/** Props of the control of a condition's value. */
export interface ConditionValueProps extends FilterTrees {
  readonly field: ScreenField;
  readonly value: string | number | boolean | undefined;
  /** True for the end of a range: a date without a time of day then includes the whole day. */
  readonly isEnd?: boolean;
  readonly onChange: (value: string | number | undefined) => void;
}

/** Input for the value of a condition, with the control of the field. */
export function ConditionValue({ field, value, isEnd = false, onChange, ...trees }: ConditionValueProps) {
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
    case 'date':
    case 'time':
      return <SingleDatePicker widget={field.traits.widget} value={shown} endOfDay={isEnd} onChange={onChange} />;
    case 'money':
    case 'number':
      return <NumberValue field={field} label={label} value={value} onChange={onChange} />;
    default:
      return <Input aria-label={label} value={shown ?? ''} onChange={(typed) => onChange(typed || undefined)} />;
  }
}

type NumberValueProps = Pick<ConditionValueProps, 'field' | 'value' | 'onChange'> & { readonly label: string };

/** A number with more decimals than the field has matches no row, so it is refused instead of rounded. */
function NumberValue({ field, label, value, onChange }: NumberValueProps) {
  const t = useTranslation();
  const id = useId();
  const problem = filterProblem(field, value);
  return (
    <span className="crud-condition">
      <NumberInput
        aria-label={label}
        {...(problem ? { error: true, 'aria-invalid': true, 'aria-describedby': id } : {})}
        field={field}
        value={value}
        isBounded={false}
        onChange={onChange}
      />
      <span id={id} className="crud-form__problem crud-condition__problem" aria-live="polite">
        {problem ? t(problem) : ''}
      </span>
    </span>
  );
}

/** Returns the message for a number with more decimals than the field has. */
function filterProblem(field: ScreenField, value: unknown): LocalizedText | undefined {
  return hasExcessDecimals(field, value) ? fieldProblem(field.schema, value, false) : undefined;
}
