import { Checkbox, Input } from '@arco-design/web-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import type { ReferenceChoice } from '../../references/reference-store.ts';
import { type CheckedKeys, extentOf, foundIn, toggled } from './checked-tree.ts';
import './check-tree.css';

interface CheckTreeProps {
  readonly id: string;
  readonly labelledBy: string;
  readonly disabled: boolean;
  readonly choices: readonly ReferenceChoice[];
  readonly chosen: readonly string[];
  readonly empty: ReactNode;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Renders a whole tree with checkboxes: inner nodes as headings, each last branch in one line. */
export default function CheckTree({ id, labelledBy, disabled, choices, chosen, empty, onChange }: CheckTreeProps) {
  const t = useTranslation();
  const [typed, setTyped] = useState('');
  const checked: CheckedKeys = new Set(chosen);
  const found = foundIn(choices, typed);
  return (
    <fieldset className="check-tree" aria-labelledby={labelledBy}>
      <div className="check-tree__tools">
        <Input id={id} allowClear disabled={disabled} placeholder={t('form.search')} aria-labelledby={labelledBy} value={typed} onChange={setTyped} />
        <span role="status">{t('form.chosenCount', { count: checked.size })}</span>
      </div>
      <div className="check-tree__body">
        {found.length === 0 ? (
          empty
        ) : (
          <Branches entries={found} checked={checked} disabled={disabled} onToggle={(value) => onChange([...toggled(choices, value, checked)])} />
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
        const extent = extentOf(entry, checked);
        const isLast = entry.children.every(({ children }) => children.length === 0);
        return (
          <li key={entry.value} className={isLast ? 'check-tree__line' : 'check-tree__group'}>
            <Checkbox disabled={disabled} checked={extent === 'all'} indeterminate={extent === 'some'} onChange={() => onToggle(entry.value)}>
              {entry.title}
            </Checkbox>
            {isLast ? (
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
