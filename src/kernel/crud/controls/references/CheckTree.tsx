import { Checkbox, Input } from '@arco-design/web-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { containsTyped, usePinyin } from '../../../ui/fields/typed-match.ts';
import { pathTo, type ReferenceChoice } from '../../references/reference-store.ts';
import './check-tree.css';

type CheckedKeys = ReadonlySet<string>;

/** Tells whether an entry and its descendants are checked completely, partly or not at all. */
export function checkStateOf({ value, children }: ReferenceChoice, checked: CheckedKeys): 'all' | 'some' | 'none' {
  if (children.length === 0) return checked.has(value) ? 'all' : 'none';
  const below = children.map((child) => checkStateOf(child, checked));
  if (checked.has(value) && below.every((checkState) => checkState === 'all')) return 'all';
  return checked.has(value) || below.some((checkState) => checkState !== 'none') ? 'some' : 'none';
}

/** Checks an entry with its descendants and ancestors. If the entry is checked completely, unchecks the entry with its descendants. */
export function toggleEntry(forest: readonly ReferenceChoice[], value: string, checked: CheckedKeys): CheckedKeys {
  const path = pathTo(forest, value);
  const entry = path.at(-1);
  if (!entry) return checked;
  const next = new Set(checked);
  if (checkStateOf(entry, checked) === 'all') for (const each of valuesOf([entry])) next.delete(each);
  else for (const each of [...valuesOf([entry]), ...path.map((above) => above.value)]) next.add(each);
  return next;
}

/** Returns the entries whose titles contain the text, with their ancestors and descendants. */
export function filterTree(forest: readonly ReferenceChoice[], typed: string): readonly ReferenceChoice[] {
  const needle = typed.trim().toLowerCase();
  if (needle === '') return forest;
  return forest.flatMap((entry) => {
    if (containsTyped(entry.title, needle)) return [entry];
    const children = filterTree(entry.children, typed);
    return children.length > 0 ? [{ ...entry, children }] : [];
  });
}

const valuesOf = (forest: readonly ReferenceChoice[]): string[] => forest.flatMap(({ value, children }) => [value, ...valuesOf(children)]);

interface CheckTreeProps {
  readonly id: string;
  readonly labelledBy: string;
  readonly disabled: boolean;
  readonly choices: readonly ReferenceChoice[];
  readonly selected: readonly string[];
  readonly empty: ReactNode;
  readonly onChange: (selected: readonly string[]) => void;
}

/** Renders a complete tree with check boxes. Inner nodes are headings; a node whose children are all leaves takes one line. */
export default function CheckTree({ id, labelledBy, disabled, choices, selected, empty, onChange }: CheckTreeProps) {
  const t = useTranslation();
  const [typed, setTyped] = useState('');
  usePinyin(typed !== '');
  const checked: CheckedKeys = new Set(selected);
  const shownEntries = filterTree(choices, typed);
  return (
    <fieldset className="check-tree" aria-labelledby={labelledBy}>
      <div className="check-tree__tools">
        <Input id={id} allowClear disabled={disabled} placeholder={t('form.search')} aria-labelledby={labelledBy} value={typed} onChange={setTyped} />
        <span role="status">{t('form.chosenCount', { count: checked.size })}</span>
      </div>
      <div className="check-tree__body">
        {shownEntries.length === 0 ? (
          empty
        ) : (
          <Branches entries={shownEntries} checked={checked} disabled={disabled} onToggle={(value) => onChange([...toggleEntry(choices, value, checked)])} />
        )}
      </div>
    </fieldset>
  );
}

interface BranchesProps {
  readonly entries: readonly ReferenceChoice[];
  readonly checked: CheckedKeys;
  readonly disabled: boolean;
  readonly onToggle: (value: string) => void;
}

function Branches({ entries, checked, disabled, onToggle }: BranchesProps) {
  return (
    <ul className="check-tree__branches">
      {entries.map((entry) => {
        const checkState = checkStateOf(entry, checked);
        const hasOnlyLeaves = entry.children.every(({ children }) => children.length === 0);
        return (
          <li key={entry.value} className={hasOnlyLeaves ? 'check-tree__line' : 'check-tree__group'}>
            <Checkbox disabled={disabled} checked={checkState === 'all'} indeterminate={checkState === 'some'} onChange={() => onToggle(entry.value)}>
              {entry.title}
            </Checkbox>
            {hasOnlyLeaves ? (
              <span className="check-tree__leaves">
                {entry.children.map(({ value, title }) => (
                  <Checkbox
                    key={value}
                    disabled={disabled}
                    checked={checked.has(value)}
                    onChange={() => onToggle(value)}
                    aria-label={`${entry.title}: ${title}`}
                  >
                    {title}
                  </Checkbox>
                ))}
              </span>
            ) : (
              <Branches entries={entry.children} checked={checked} disabled={disabled} onToggle={onToggle} />
            )}
          </li>
        );
      })}
    </ul>
  );
}
