import { LoadedPart, useQuery, useTranslation } from '#kernel';
import { type PermissionSummary, permissionExplanation } from '../explain-contract.ts';
import styles from './explain.module.css';
import { explainMessages } from './explain-messages.ts';

interface PermissionOverviewProps {
  readonly userId: string;
  /** Called with the code of a page to explain. */
  readonly onAsk: (about: string) => void;
}

/** Summarizes what a user may do and through which role: the pages with their buttons and rows. */
export function PermissionOverview({ userId, onAsk }: PermissionOverviewProps) {
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
