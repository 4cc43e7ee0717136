import { useDictionary } from '../../platform/dictionaries/dictionaries.ts';
import { useText, useWords } from '../../platform/i18n/use-words.ts';
import { NamedSelect } from '../../ui/primitives/NamedSelect.tsx';
import { SeveralOf } from './ChoiceControl.tsx';
import { type ControlProps, isFound, listOf, selectProps } from './control.ts';

/** Picks one or several entries of a dictionary; a value that is no longer an entry is shown as itself. */
export default function DictionaryControl(props: ControlProps) {
  const text = useText();
  const say = useWords();
  const { field, value, onChange } = props;
  const entries = useDictionary(field.traits.dictionary);
  const chosen = listOf(value);
  const lost = chosen.filter((key) => !entries.some((entry) => entry.key === key));
  const options = [...entries.map(({ key, title }) => ({ value: key, label: title })), ...lost.map((key) => ({ value: key, label: key }))];
  if (field.traits.several) return <SeveralOf {...props} options={options} chosen={chosen} />;
  return (
    <NamedSelect
      {...selectProps(props, say(field.traits.title), text('form.choose'))}
      showSearch={options.length > 10 ? { retainInputValue: false } : false}
      filterOption={isFound}
      notFoundContent={text('form.noChoices')}
      options={options}
      value={chosen[0]}
      onChange={onChange}
    />
  );
}
