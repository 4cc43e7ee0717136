import { Checkbox, Input } from '@arco-design/web-react';
import { useState } from 'react';
import { containsTyped, usePinyin, useTranslation } from '#kernel';
import type { Work } from '../work-contract.ts';
import styles from './GiveWork.module.css';
import { giveWorkMessages } from './give-work-messages.ts';

interface WorkListProps {
  readonly works: readonly Work[];
  /** Ids of roles that the user has already. */
  readonly heldRoles: readonly string[];
  readonly selected: readonly string[];
  readonly onSelect: (selected: readonly string[]) => void;
}

/** Lists work by menu group, the roles first, and selects one or several. */
export function WorkList({ works, heldRoles, selected, onSelect }: WorkListProps) {
  const t = useTranslation();
  const [text, setText] = useState('');
  usePinyin(text !== '');
  const found = works.filter(({ title, parts, group }) => [title, group, ...parts].some((one) => containsTyped(one, text)));
  const groups = [...new Set(found.map(({ group }) => group))];
  if (works.length === 0) return <p className={styles.note}>{t(giveWorkMessages.noWork)}</p>;
  return (
    <>
      <Input.Search allowClear value={text} onChange={setText} placeholder={t(giveWorkMessages.findWork)} aria-label={t(giveWorkMessages.findWork)} />
      {found.length === 0 && <p className={styles.note}>{t(giveWorkMessages.noMatch)}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section className={styles.works} aria-label={t(giveWorkMessages.what)} tabIndex={0}>
        {groups.map((group) => (
          <fieldset key={group} className={styles.group}>
            <legend>{group || t(giveWorkMessages.roles)}</legend>
            {found
              .filter((work) => work.group === group)
              .map((work) => {
                const isHeld = heldRoles.some((id) => work.key === `role:${id}`);
                return (
                  <Checkbox
                    key={work.key}
                    className={styles.work ?? ''}
                    checked={isHeld || selected.includes(work.key)}
                    disabled={isHeld}
                    onChange={(isWanted) => onSelect(isWanted ? [...selected, work.key] : selected.filter((key) => key !== work.key))}
                  >
                    {work.title}
                    <span className={styles.parts} title={work.parts.join(t(giveWorkMessages.separator))}>
                      {isHeld ? t(giveWorkMessages.held) : work.parts.join(t(giveWorkMessages.separator))}
                    </span>
                  </Checkbox>
                );
              })}
          </fieldset>
        ))}
      </section>
    </>
  );
}
