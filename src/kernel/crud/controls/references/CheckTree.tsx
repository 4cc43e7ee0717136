import { Checkbox, Input } from '@arco-design/web-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { matchesSearch, usePinyin } from '../../../ui/fields/search-match.ts';
import { pathTo, type ReferenceChoice } from '../../references/reference-store.ts';
import './check-tree.css';

type CheckedKeys = ReadonlySet<string>;

/** Tells whether an entry and its descendants are checked completely, partly or not at all. */
export function checkStateOf({ value, children }: ReferenceChoice, checked: CheckedKeys): 'all' | 'some' | 'none' {
  if (children.length === 0) return checked.has(value) ? 'all' : 'none';
  const childStates = children.map((child) => checkStateOf(child, checked));
  if (checked.has(value) && childStates.every((checkState) => checkState === 'all')) return 'all';
  return checked.has(value) || childStates.some((checkState) => checkState !== 'none') ? 'some' : 'none';
}

/**
 * Checks an entry with its ancestors and its descendants in `shown`. If the shown part of it is checked completely, unchecks that part, except for ancestors of entries
 * that stay checked.
 */
export function toggleEntry(forest: readonly ReferenceChoice[], value: string, checked: CheckedKeys, shown = forest): CheckedKeys {
  const path = pathTo(shown, value);
  const entry = path.at(-1);
  if (!entry) return checked;
  const changed = new Set(valuesOf([entry]));
  if (checkStateOf(entry, checked) !== 'all') return new Set([...checked, ...changed, ...path.map((ancestor) => ancestor.value)]);
  const next = new Set([...checked].filter((checkedValue) => !changed.has(checkedValue)));
  for (const kept of next) for (const { value: ancestor } of pathTo(forest, kept)) if (changed.has(ancestor)) next.add(ancestor);
  return next;
}

/** Returns the entries whose titles match the text, with their ancestors and descendants. */
export function filterTree(forest: readonly ReferenceChoice[], typed: string): readonly ReferenceChoice[] {
  const needle = typed.trim().toLowerCase();
  if (needle === '') return forest;
  return forest.flatMap((entry) => {
    if (matchesSearch(entry.title, needle)) return [entry];
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

/** Renders an unfolded tree of check boxes; a node whose children are all leaves takes one line with them. */
export default function CheckTree({ id, labelledBy, disabled, choices, selected, empty, onChange }: CheckTreeProps) {
  const t = useTranslation();
  const [typed, setTyped] = useState('');
  usePinyin(typed !== '');
  const checked: CheckedKeys = new Set(selected);
  const shownEntries = filterTree(choices, typed);
  const stateOf = (entry: ReferenceChoice) => checkStateOf((typed === '' ? entry : pathTo(choices, entry.value).at(-1)) ?? entry, checked);
  const toggle = (value: string) => onChange([...toggleEntry(choices, value, checked, shownEntries)]);
  return (
    <fieldset className="check-tree" aria-labelledby={labelledBy}>
      <div className="check-tree__tools">
        <Input id={id} allowClear disabled={disabled} placeholder={t('form.search')} aria-labelledby={labelledBy} value={typed} onChange={setTyped} />
        <span role="status">{t('form.chosenCount', { count: checked.size })}</span>
      </div>
      <div className="check-tree__body">
        {shownEntries.length === 0 ? empty : <CheckList entries={shownEntries} checked={checked} stateOf={stateOf} disabled={disabled} onToggle={toggle} />}
      </div>
    </fieldset>
  );
}

interface CheckListProps {
  readonly entries: readonly ReferenceChoice[];
  readonly checked: CheckedKeys;
  /** State of an entry with all its descendants, also those that a search hides. */
  readonly stateOf: (entry: ReferenceChoice) => ReturnType<typeof checkStateOf>;
  readonly disabled: boolean;
  readonly onToggle: (value: string) => void;
}

function CheckList({ entries, checked, stateOf, disabled, onToggle }: CheckListProps) {
  return (
    <ul className="check-tree__branches">
      {entries.map((entry) => {
        const checkState = stateOf(entry);
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
              <CheckList entries={entry.children} checked={checked} stateOf={stateOf} disabled={disabled} onToggle={onToggle} />
            )}
          </li>
        );
      })}
    </ul>
  );
}
