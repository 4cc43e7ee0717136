import { Button } from '@arco-design/web-react';
import { useState } from 'react';
import { SidePanel, useQuery, useTranslation } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { roleMessages } from '../contract.ts';
import { scopeRule } from '../scope-contract.ts';
import access from './access.module.css';
import styles from './scope.module.css';
import { visibleRowMessages } from './scope-messages.ts';
import { VisibleRowsPanel } from './VisibleRowsPanel.tsx';

type ListedRule = ReplyOf<(typeof scopeRule)['list']>[number];

/** Panel that lists every limited role and person with what they see, as sentences. */
export function RuleOverview({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslation();
  return (
    <SidePanel open title={t(visibleRowMessages.overview)} width={760} onClose={onClose}>
      <Overview />
    </SidePanel>
  );
}

function Overview() {
  const t = useTranslation();
  const [editCount, setEditCount] = useState(0);
  const [opened, setOpened] = useState<ListedRule>();
  const { data, error, refetch } = useQuery(scopeRule.list, {}, { refetchKey: editCount });
  if (error)
    return (
      <p role="alert" className={access.state}>
        {t(roleMessages.failed)} <Button onClick={refetch}>{t(roleMessages.retry)}</Button>
      </p>
    );
  const roles = (data ?? []).filter(({ roleId }) => roleId !== undefined);
  const people = (data ?? []).filter(({ userId }) => userId !== undefined);
  return (
    <div className={access.grants} aria-busy={data === undefined}>
      <p className={styles.hint}>{t(visibleRowMessages.overviewHint)}</p>
      {data?.length === 0 && <p className={access.state}>{t(visibleRowMessages.noRules)}</p>}
      <Holders title={t(visibleRowMessages.roles)} rules={roles} onOpen={setOpened} />
      <Holders title={t(visibleRowMessages.people)} rules={people} onOpen={setOpened} />
      {opened && (
        <VisibleRowsPanel
          subject={opened.roleId === undefined ? { userId: opened.userId ?? '' } : { roleId: opened.roleId }}
          name={opened.name}
          onClose={() => {
            setOpened(undefined);
            setEditCount(editCount + 1);
          }}
        />
      )}
    </div>
  );
}

interface HoldersProps {
  readonly title: string;
  readonly rules: readonly ListedRule[];
  readonly onOpen: (rule: ListedRule) => void;
}

function Holders({ title, rules, onOpen }: HoldersProps) {
  const t = useTranslation();
  const idOf = ({ roleId, userId }: ListedRule) => roleId ?? userId;
  const holders = rules.filter((rule, index) => rules.findIndex((other) => idOf(other) === idOf(rule)) === index);
  if (holders.length === 0) return null;
  return (
    <section>
      <h3 className={styles.group}>{title}</h3>
      <ul className={styles.rules}>
        {holders.map((holder) => (
          <li key={idOf(holder)} className={styles.holder}>
            <strong>{holder.name}</strong>
            <Button type="text" size="small" aria-label={t(visibleRowMessages.titleFor, { name: holder.name })} onClick={() => onOpen(holder)}>
              {t(visibleRowMessages.change)}
            </Button>
            <ul className={styles.sentences}>
              {rules
                .filter((rule) => idOf(rule) === idOf(holder))
                .map(({ entity, area, sentence }) => (
                  <li key={entity}>
                    <span className={styles.soft}>{area}</span> {sentence}
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}
