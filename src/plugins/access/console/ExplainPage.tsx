import { IconCheckCircleFill, IconCloseCircleFill, IconMinusCircle } from '@arco-design/web-react/icon';
import { useEffect } from 'react';
import { Http, Session, useAddressText, usePageStore, useService, useStore, useTranslation } from '#kernel';
import { type Explanation, explainedSteps } from '#shared/permission-explanation';
import { ExplainForm } from './ExplainForm.tsx';
import styles from './explain.module.css';
import { explainMessages, verdictMessages } from './explain-messages.ts';
import { ExplainStore } from './explain-store.ts';

const icons = { allows: IconCheckCircleFill, refuses: IconCloseCircleFill, silent: IconMinusCircle };

/** Shows the result in one line and the steps of the decision below it. */
function ExplainedSteps({ explanation: { user, subject, isAllowed, steps } }: { readonly explanation: Explanation }) {
  const t = useTranslation();
  const heading = t(isAllowed ? explainMessages.allowed : explainMessages.refused, { user: user.name || user.account, name: t(subject.name) });
  return (
    <>
      <h2 className={isAllowed ? styles.allowed : styles.refused}>{heading}</h2>
      <ol className={styles.steps}>
        {steps.map(({ step, verdict, sentence }) => {
          const Icon = icons[verdict];
          return (
            <li key={step} className={styles[verdict]}>
              <Icon aria-hidden />
              <strong>{t(explainedSteps[step])}</strong>
              <span className={styles.verdict}>{t(verdictMessages[verdict])}</span>
              <span className={styles.sentence}>{t(sentence)}</span>
            </li>
          );
        })}
      </ol>
    </>
  );
}

/**
 * Explains step by step why a user has or lacks a permission. Top task: see why a user cannot open a page, 3 clicks from the user's row (权限说明, the list of pages, the page),
 * 1 click from a 403 page.
 */
export default function ExplainPage() {
  const http = useService(Http);
  const session = useService(Session);
  const t = useTranslation();
  const [[userId], [about], [rowId]] = [useAddressText('userId'), useAddressText('about'), useAddressText('rowId')];
  // Without a user the question is about the signed-in one.
  const store = usePageStore(() => new ExplainStore(http, { userId: userId || (session.user?.user_id ?? ''), about, rowId }));
  useEffect(() => store.loadOnce(), [store]);
  const { status, answer } = useStore(store, (state) => state);
  return (
    <div className={styles.page}>
      <ExplainForm store={store} />
      <section className={styles.answer} aria-live="polite" aria-busy={status === 'loading'}>
        {answer ? <ExplainedSteps explanation={answer} /> : <p className={styles.hint}>{t(explainMessages.hint)}</p>}
      </section>
    </div>
  );
}
