import { IconCheckCircleFill, IconCloseCircleFill, IconMinusCircle } from '@arco-design/web-react/icon';
import { useEffect } from 'react';
import { Http, LoadedPart, Session, useAddressText, usePageStore, usePreference, useQuery, useService, useStore, useTranslation } from '#kernel';
import { type Explanation, explainedSteps } from '#shared/permission-explanation';
import { type PermissionSummary, permissionExplanation } from '../explain-contract.ts';
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
  const [lastPerson, setLastPerson] = usePreference<string>('explain:person', 1);
  // Without a user in its address, the page explains the user that it showed last, or else the signed-in user.
  const store = usePageStore(() => new ExplainStore(http, { userId: userId || lastPerson || (session.user?.user_id ?? ''), about, rowId }));
  useEffect(() => store.loadOnce(), [store]);
  const { status, answer, question } = useStore(store, (state) => state);
  useEffect(() => {
    if (question.userId !== '') setLastPerson(question.userId);
  }, [question.userId, setLastPerson]);
  return (
    <div className={styles.page}>
      <ExplainForm store={store} />
      <section className={styles.answer} aria-live="polite" aria-busy={status === 'loading'}>
        {question.about === '' && question.userId !== '' ? (
          <PermissionOverview userId={question.userId} onAsk={(about) => store.ask({ about })} />
        ) : (
          <>
            <button type="button" className={styles.link} onClick={() => store.ask({ about: '', rowId: '' })}>
              {t(explainMessages.back)}
            </button>
            {answer && <ExplainedSteps explanation={answer} />}
            {status === 'failed' && (
              <p role="alert">
                {t(explainMessages.failed)}{' '}
                <button type="button" className={styles.link} onClick={() => store.ask({})}>
                  {t('errors.retry')}
                </button>
              </p>
            )}
          </>
        )}
      </section>
    </div>
  );
}

interface PermissionOverviewProps {
  readonly userId: string;
  /** Called with the code of a page to explain. */
  readonly onAsk: (about: string) => void;
}

/** Summarizes what a user may do and through which role: the pages with their buttons and rows. */
function PermissionOverview({ userId, onAsk }: PermissionOverviewProps) {
  const query = useQuery(permissionExplanation.summary, { userId }, { quiet: true });
  return <LoadedPart query={query}>{(summary) => <Overview summary={summary} onAsk={onAsk} />}</LoadedPart>;
}

function Overview({
  summary: { user, canSignIn, isAdministrator, roles, groups },
  onAsk,
}: Pick<PermissionOverviewProps, 'onAsk'> & { readonly summary: PermissionSummary }) {
  const t = useTranslation();
  const name = user.name || user.account;
  const separator = t(explainMessages.separator);
  if (!canSignIn) return <h2 className={styles.refused}>{t(explainMessages.cannotSignIn, { user: name })}</h2>;
  return (
    <>
      <h2 className={styles.heading}>{t(explainMessages.summaryOf, { user: name, count: groups.flatMap(({ pages }) => pages).length })}</h2>
      <p className={styles.hint}>
        {roles.length > 0 ? t(explainMessages.byRoles, { roles: roles.join(separator) }) : t(explainMessages.noRoles)}
        {isAdministrator && ` · ${t(explainMessages.administrator)}`}
      </p>
      {groups.map(({ title, pages }) => (
        <section key={title} className={styles.overviewGroup}>
          <h3>{title}</h3>
          <ul>
            {pages.map((page) => (
              <li key={page.code}>
                <button
                  type="button"
                  className={styles.link}
                  aria-label={t(explainMessages.explainEntry, { title: page.title })}
                  onClick={() => onAsk(page.code)}
                >
                  {page.title}
                </button>
                <span className={styles.hint}>
                  {page.buttons.length > 0 ? page.buttons.join(separator) : t(page.hasButtons ? explainMessages.viewOnly : explainMessages.wholePage)}
                </span>
                <span className={styles.hint}>
                  {[
                    ...(page.rows === undefined ? [] : [t(explainMessages.onlyRows, { rows: page.rows })]),
                    ...(roles.length > 1 && page.roles.length > 0 ? [t(explainMessages.via, { roles: page.roles.join(separator) })] : []),
                  ].join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
