import { Button } from '@arco-design/web-react';
import { createContext, Suspense, useContext, useState } from 'react';
import { type InputProps, lazyComponent, useQuery, useTranslation } from '#kernel';
import { parseCondition } from '#shared/scopes';
import { ruleTypes, scopeRule } from '../scope-contract.ts';
import styles from './scope.module.css';
import { builderMessages, visibleRowMessages } from './scope-messages.ts';

const ScopeBuilder = lazyComponent(() => import('./ScopeBuilder.tsx'));

/** Code of the page whose data scopes are edited. */
export const ScopedPage = createContext('');

/** Shows the condition of a data scope as a sentence and edits it in the builder, in place of its JSON. */
export function ConditionControl({ id, value, disabled, describedBy, onChange }: InputProps) {
  const t = useTranslation();
  const page = useContext(ScopedPage);
  const [isOpen, setOpen] = useState(false);
  const { data: areas } = useQuery(scopeRule.areas, {}, { quiet: true });
  const area = areas?.find(({ entity, codes }) => entity === page || codes.includes(page));
  const text = typeof value === 'string' ? value : '';
  const condition = parseCondition(text);
  const input = { entity: area?.entity ?? page, type: ruleTypes.custom, condition: condition ?? null };
  const { data, error } = useQuery(scopeRule.preview, input, { enabled: area !== undefined && condition !== undefined, quiet: true });
  return (
    <div className={styles.condition}>
      {data && <p className={styles.sentence}>{t(visibleRowMessages.visible, { sentence: data.sentence })}</p>}
      {text !== '' && (error || (areas && !area)) && (
        <div className={styles.unreadable}>
          <p className={styles.soft}>{t(builderMessages.unreadable)}</p>
          <pre>{text}</pre>
        </div>
      )}
      <Button id={id} disabled={disabled || !area} aria-describedby={describedBy} onClick={() => setOpen(true)}>
        {t(visibleRowMessages.edit)}
      </Button>
      <Suspense>
        {isOpen && area && (
          <ScopeBuilder
            area={area}
            others={[]}
            condition={condition}
            onClose={() => setOpen(false)}
            onDone={(conditions) => {
              onChange(JSON.stringify(conditions[area.entity]));
              setOpen(false);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
