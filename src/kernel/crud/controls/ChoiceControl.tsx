import { Checkbox, Radio, Select } from '@arco-design/web-react';
import { lazy, useRef } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { NamedSelect } from '../../ui/primitives/NamedSelect.tsx';
import { type ChoicesProps, type ControlProps, selectProps, useAccessibleName } from './control.ts';

const AvailabilitySelect = lazy(() => import('./AvailabilitySelect.tsx'));

/** Shows few options as radio buttons and many in a select. */
export function ChoiceControl(props: ControlProps) {
  const t = useTranslation();
  const { field, value } = props;
  const options = (field.traits.options ?? []).map(([optionValue, title]) => ({ value: optionValue, label: t(title) }));
  if (field.traits.multiple) return <MultiChoices {...props} options={options} />;
  if (field.traits.unavailableFrom) return <AvailabilitySelect {...props} options={options} />;
  if (options.length <= 4 && field.required && !field.traits.clearable) return <RadioChoices {...props} options={options} />;
  return (
    <NamedSelect
      {...selectProps(props, t(field.traits.title), t('form.choose'))}
      options={options}
      onChange={(selected) => props.onChange(selected)}
      value={(value ?? undefined) as string | number | undefined}
    />
  );
}

function RadioChoices({ id, value, disabled, describedBy, onChange, options }: ChoicesProps) {
  return (
    <fieldset className="crud-choice" aria-labelledby={`${id}-label`} aria-describedby={describedBy} disabled={disabled}>
      <Radio.Group value={value} disabled={disabled} options={[...options]} onChange={onChange} />
    </fieldset>
  );
}

function MultiChoices(props: ChoicesProps) {
  const { id, value, disabled, describedBy, onChange, options } = props;
  const selected = Array.isArray(value) ? (value as (string | number)[]) : [];
  if (options.length > 6) return <MultiSelect {...props} selected={selected} />;
  return (
    <fieldset className="crud-choice" aria-labelledby={`${id}-label`} aria-describedby={describedBy} disabled={disabled}>
      <Checkbox.Group value={selected} disabled={disabled} options={[...options]} onChange={onChange} />
    </fieldset>
  );
}

/** Selects several options from a list and shows them as tags. */
export function MultiSelect(props: ChoicesProps & { readonly selected: readonly (string | number)[] }) {
  const { id, selected, disabled, isInvalid, onChange, options } = props;
  const t = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  useAccessibleName(box, '[role=combobox]', props);
  return (
    <div ref={box}>
      <Select
        id={id}
        mode="multiple"
        placeholder={t('form.choose')}
        allowClear
        disabled={disabled}
        options={[...options]}
        value={selected as string[]}
        onChange={onChange}
        {...(isInvalid ? { status: 'error' as const } : {})}
      />
    </div>
  );
}
