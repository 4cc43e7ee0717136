import { Suspense } from 'react';
import { useDictionary } from '../../dictionaries/use-dictionary.ts';
import { useText, useWords } from '../../i18n/use-words.ts';
import { part } from '../../part.tsx';
import type { ParentTree } from '../crud-screen.ts';
import type { ScreenField } from '../entity-fields.ts';
import { NamedSelect } from '../NamedSelect.tsx';
import type { ParentTrees } from '../parent-trees.ts';
import { PendingPicker } from './PendingPicker.tsx';

const ReferenceControl = part(() => import('../form/controls/ReferenceControl.tsx'));
const ParentControl = part(() => import('../form/ParentControl.tsx'));

/** Where the trees behind a screen's parents are read, and from which calls. */
export interface FilterTrees {
  readonly trees: ParentTrees;
  readonly parents: Readonly<Record<string, ParentTree | undefined>>;
}

interface FilterPickerProps extends FilterTrees {
  readonly field: ScreenField;
  /** Its label has this id and `-label`. */
  readonly id: string;
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** Takes what is picked, not typed, by what it is called: one of a few, an entry of a dictionary, a row of something else. */
export default function FilterPicker({ field, id, name, value, onChange, trees, parents }: FilterPickerProps) {
  const text = useText();
  const say = useWords();
  const { widget, options = [], dictionary } = field.traits;
  const entries = useDictionary(dictionary);
  const control = {
    field: { ...field, required: false, isRootless: true },
    id,
    value,
    onChange,
    trees,
    disabled: false,
    isWrong: false,
    describedBy: undefined,
  };
  const pending = <PendingPicker id={id} isPicked={value !== undefined} />;
  if (widget === 'reference')
    return (
      <Suspense fallback={pending}>
        <ReferenceControl {...control} field={{ ...control.field, traits: { ...field.traits, several: false } }} />
      </Suspense>
    );
  if (widget === 'parent')
    return (
      <Suspense fallback={pending}>
        <ParentControl {...control} parents={parents[field.name]} />
      </Suspense>
    );
  const choices = dictionary
    ? entries.map(({ key, title }) => ({ value: key, label: title }))
    : options.map(([choice, title]) => ({ value: choice, label: say(title) }));
  // A key nobody reads is not shown while its dictionary is on its way.
  const isReadable = !dictionary || entries.length > 0;
  return (
    <NamedSelect
      id={id}
      name={name}
      allowClear
      placeholder={text('crud.any')}
      options={choices}
      value={isReadable ? (value as string | number | undefined) : undefined}
      onChange={onChange}
    />
  );
}
