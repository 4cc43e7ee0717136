import { useState } from 'react';
import { NamedSelect, useQuery, useTranslation } from '#kernel';
import type { ScopeCondition } from '#shared/scopes';
import { role } from '../contract.ts';
import { type RulePreview, ruleTypes, scopeRule } from '../scope-contract.ts';
import styles from './scope.module.css';
import { builderMessages } from './scope-messages.ts';

interface ScopePreviewProps {
  readonly entity: string;
  /** Undefined while it is incomplete. */
  readonly condition: ScopeCondition | undefined;
  readonly userId?: string | undefined;
  /** Role whose members can be picked to count as them. */
  readonly roleId?: string | undefined;
}

/** Shows how many rows a user would see, with examples. */
export function ScopePreview({ entity, condition, userId, roleId }: ScopePreviewProps) {
  const t = useTranslation();
  const members = useQuery(role.members, { roleId: roleId ?? '0', size: 50 }, { enabled: roleId !== undefined, quiet: true });
  const [picked, setPicked] = useState<string>();
  const people = members.data?.records ?? [];
  const as = userId ?? picked ?? people[0]?.id;
  const isWaiting = roleId !== undefined && members.isPending;
  const input = { entity, type: ruleTypes.custom, condition: condition ?? null, ...(as ? { userId: as } : {}) };
  const { data, error } = useQuery(scopeRule.preview, input, {
    enabled: condition !== undefined && !isWaiting,
    keepPreviousData: true,
    debounceMs: 300,
    quiet: true,
  });
  return (
    <section className={styles.preview} aria-live="polite">
      {people.length > 0 && (
        <div className={styles.as}>
          <span aria-hidden>{t(builderMessages.as)}</span>
          <NamedSelect
            size="small"
            name={t(builderMessages.as)}
            value={as}
            options={people.map(({ id, realName, account }) => ({ value: id, label: `${realName} · ${account}` }))}
            onChange={setPicked}
          />
        </div>
      )}
      {condition === undefined ? <p className={styles.soft}>{t(builderMessages.incomplete)}</p> : error ? <p>{error.message}</p> : data && <Found {...data} />}
    </section>
  );
}

function Found({ sentence, total, of, isExact, titles }: RulePreview) {
  const t = useTranslation();
  const count = (value: number | null) => (value ?? 0).toLocaleString();
  return (
    <>
      <p className={styles.sentence}>{sentence}</p>
      <p className={styles.total}>
        {total === null
          ? t(builderMessages.uncounted)
          : total === 0
            ? t(builderMessages.none)
            : isExact
              ? t(builderMessages.count, { total: count(total), of: count(of) })
              : t(builderMessages.countMore, { total: count(total - 1) })}
      </p>
      {titles.length > 0 && (
        <p className={styles.soft}>
          {t(builderMessages.examples)}: {titles.join(' · ')}
        </p>
      )}
    </>
  );
}
