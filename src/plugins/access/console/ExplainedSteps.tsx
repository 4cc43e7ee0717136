import { IconCheckCircleFill, IconCloseCircleFill, IconMinusCircle } from '@arco-design/web-react/icon';
import { useTranslation } from '#kernel';
import { type Explanation, explainedSteps } from '#shared/permission-explanation';
import styles from './explain.module.css';
import { explainMessages, verdictMessages } from './explain-messages.ts';

const icons = { allows: IconCheckCircleFill, refuses: IconCloseCircleFill, silent: IconMinusCircle };

/** Shows the result in one line and the steps of the decision below it. */
export function ExplainedSteps({ explanation: { user, subject, isAllowed, steps } }: { readonly explanation: Explanation }) {
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
