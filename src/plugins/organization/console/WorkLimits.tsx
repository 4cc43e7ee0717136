import { useId } from 'react';
import { FieldControl, useTranslation } from '#kernel';
import type { WorkField } from '../work-contract.ts';
import styles from './GiveWork.module.css';
import { giveWorkMessages } from './give-work-messages.ts';
import type { WorkDraft } from './give-work-store.ts';

interface WorkLimitsProps {
  readonly fields: readonly WorkField[];
  /** False until work has been selected, whose records can be limited. */
  readonly isReady: boolean;
  readonly limits: WorkDraft['limits'];
  readonly onChange: (limits: WorkDraft['limits']) => void;
}

/** Picks the advertisers, cities, departments and so on whose records the work covers. */
export function WorkLimits({ fields, isReady, limits, onChange }: WorkLimitsProps) {
  const t = useTranslation();
  if (fields.length === 0) return <p className={styles.note}>{t(isReady ? giveWorkMessages.noLimits : giveWorkMessages.pickWork)}</p>;
  return (
    <>
      <p className={styles.note}>{t(giveWorkMessages.everything)}</p>
      <div className={styles.fields}>
        {fields.map((field) => (
          <Limit key={field.target} field={field} ids={limits[field.target] ?? []} onChange={(ids) => onChange({ ...limits, [field.target]: ids })} />
        ))}
      </div>
    </>
  );
}

interface LimitProps {
  readonly field: WorkField;
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

function Limit({ field: { target, title, traits }, ids, onChange }: LimitProps) {
  const t = useTranslation();
  const id = useId();
  const control = {
    id,
    field: { name: target, schema: {}, traits: { ...traits, title, multiple: true }, required: false, isRootless: true },
    value: ids,
    disabled: false,
    isWrong: false,
    describedBy: undefined,
    trees: undefined as never,
    onChange: (picked: unknown) => onChange([picked ?? []].flat().map(String)),
  };
  return (
    <div className={styles.field}>
      <span id={`${id}-label`}>{t(title)}</span>
      <FieldControl {...control} />
    </div>
  );
}
