import { Suspense } from 'react';
import { useDictionary } from '../../platform/dictionaries/dictionaries.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { NamedSelect } from '../../ui/primitives/NamedSelect.tsx';
import type { ParentTree } from '../model/crud-screen.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { ParentTrees } from '../model/parent-trees.ts';
import { PendingPicker } from './PendingPicker.tsx';

const ReferenceControl = lazyComponent(() => import('../controls/references/ReferenceControl.tsx'));
const ParentControl = lazyComponent(() => import('../controls/ParentControl.tsx'));

/** Trees of a screen's parents and the calls they are loaded from. */
export interface FilterTrees {
  readonly trees: ParentTrees;
  readonly parents: Readonly<Record<string, ParentTree | undefined>>;
}

interface FilterPickerProps extends FilterTrees {
  readonly field: ScreenField;
  /** Id of the control; its label has the id `${id}-label`. */
  readonly id: string;
  readonly name: string;
  /** Text without a value; “any” by default. */
  readonly placeholder?: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** Picks a filter value by its title: an option, an entry of a dictionary, or a row of another entity. */
export default function FilterPicker({ field, id, name, placeholder, value, onChange, trees, parents }: FilterPickerProps) {
  const t = useTranslation();
  const { widget, options = [], dictionary } = field.traits;
  const entries = useDictionary(dictionary);
  const control = {
    field: { ...field, required: false, excludesRoot: true },
    id,
    value,
    onChange,
    trees,
    disabled: false,
    isInvalid: false,
    describedBy: undefined,
  };
  const pending = <PendingPicker id={id} isPicked={value !== undefined} placeholder={placeholder} />;
  if (widget === 'reference')
    return (
      <Suspense fallback={pending}>
        <ReferenceControl {...control} field={{ ...control.field, traits: { ...field.traits, multiple: false } }} />
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
    : options.map(([choice, title]) => ({ value: choice, label: t(title) }));
  // A raw key is not shown while its dictionary is loading.
  const isReadable = !dictionary || entries.length > 0;
  return (
    <NamedSelect
      id={id}
      name={name}
      allowClear
      placeholder={placeholder ?? t('crud.any')}
      options={choices}
      value={isReadable ? (value as string | number | undefined) : undefined}
      onChange={onChange}
    />
  );
}
