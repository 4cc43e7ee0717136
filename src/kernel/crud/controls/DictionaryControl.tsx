import { useDictionary } from '../../platform/dictionaries/dictionaries.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { NamedSelect } from '../../ui/primitives/NamedSelect.tsx';
import { MultiSelect } from './ChoiceControl.tsx';
import { type ControlProps, listOf, matchesTyped, selectProps } from './control.ts';

/** Picks one or several entries of a dictionary; a value that is no longer an entry is shown as itself. */
export default function DictionaryControl(props: ControlProps) {
  const t = useTranslation();
  const { field, value, onChange } = props;
  const selected = listOf(value);
  const entries = useDictionary(field.traits.dictionary).filter(({ key, isArchived }) => !isArchived || selected.includes(key));
  const lost = selected.filter((key) => !entries.some((entry) => entry.key === key));
  const options = [...entries.map(({ key, title }) => ({ value: key, label: title })), ...lost.map((key) => ({ value: key, label: key }))];
  if (field.traits.multiple) return <MultiSelect {...props} options={options} selected={selected} />;
  return (
    <NamedSelect
      {...selectProps(props, t(field.traits.title), t('form.choose'))}
      showSearch={options.length > 10 ? { retainInputValue: false } : false}
      filterOption={matchesTyped}
      notFoundContent={t('form.noChoices')}
      options={options}
      value={selected[0]}
      onChange={onChange}
    />
  );
}
