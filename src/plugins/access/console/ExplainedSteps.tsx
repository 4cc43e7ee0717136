import { IconCheckCircleFill, IconCloseCircleFill, IconMinusCircle } from '@arco-design/web-react/icon';
import { useWords } from '#kernel';
import { type Explanation, explainedSteps } from '#shared/permission-explanation';
import styles from './explain.module.css';
import { explainWords, verdictWords } from './explain-words.ts';

const icons = { allows: IconCheckCircleFill, refuses: IconCloseCircleFill, silent: IconMinusCircle };

/** Shows the result in one line and the steps of the decision below it. */
export function ExplainedSteps({ explanation: { user, subject, isAllowed, steps } }: { readonly explanation: Explanation }) {
  const say = useWords();
  const heading = say(isAllowed ? explainWords.allowed : explainWords.refused, { user: user.name || user.account, name: say(subject.name) });
  return (
    <>
      <h2 className={isAllowed ? styles.allowed : styles.refused}>{heading}</h2>
      <ol className={styles.steps}>
        {steps.map(({ step, verdict, sentence }) => {
          const Icon = icons[verdict];
          return (
            <li key={step} className={styles[verdict]}>
              <Icon aria-hidden />
              <strong>{say(explainedSteps[step])}</strong>
              <span className={styles.verdict}>{say(verdictWords[verdict])}</span>
              <span className={styles.sentence}>{say(sentence)}</span>
            </li>
          );
        })}
      </ol>
    </>
  );
}
