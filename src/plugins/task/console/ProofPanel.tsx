import type { ReactNode } from 'react';
import { FormattedText, moneyText, useTranslation } from '#kernel';
import { traitsOf } from '#shared/fields';
import type { LocalizedText } from '#shared/text';
import { type AuditItem, Submission } from '../contract.ts';
import { workbenchMessages } from './messages.ts';
import styles from './Workbench.module.css';

/** Shows the submitted proof beside the requirements of the task. */
export function ProofPanel({ item }: { readonly item: AuditItem }) {
  const t = useTranslation();
  const { link, amount } = item;
  return (
    <div className={styles.proof}>
      <Duplicates item={item} />
      <Section title={workbenchMessages.proof}>
        <dl className={styles.facts}>
          <Fact title={workbenchMessages.worker}>{[item.nickName, item.phone].filter(Boolean).join(' · ')}</Fact>
          {item.platformAccount && <Fact title={workbenchMessages.account}>{item.platformAccount}</Fact>}
          {link && (
            <Fact title={workbenchMessages.link}>
              {/^https?:\/\//i.test(link) ? (
                <a href={link} target="_blank" rel="noreferrer noopener">
                  {link}
                </a>
              ) : (
                link
              )}
            </Fact>
          )}
          {item.content && <Fact title={workbenchMessages.content}>{item.content}</Fact>}
          <Fact title={workbenchMessages.time}>{item.submitTime}</Fact>
          {amount !== undefined && <Fact title={workbenchMessages.amount}>{moneyText(amount)}</Fact>}
        </dl>
      </Section>
      <Section title={workbenchMessages.requirement}>
        <p className={styles.text}>{item.requirement}</p>
      </Section>
      {item.steps && (
        <Section title={workbenchMessages.steps}>
          <p className={styles.text}>{item.steps}</p>
        </Section>
      )}
      {item.details && (
        <details>
          <summary>{t(workbenchMessages.details)}</summary>
          <FormattedText html={item.details} />
        </details>
      )}
    </div>
  );
}

function Duplicates({ item: { twins } }: { readonly item: AuditItem }) {
  const t = useTranslation();
  if (twins.length === 0) return null;
  const state = (status: number) => traitsOf(Submission.fields.auditStatus)?.options?.find(([value]) => value === status)?.[1] ?? ['', ''];
  return (
    <section className={styles.duplicates}>
      <h3>{t(workbenchMessages.duplicates)}</h3>
      <ul>
        {twins.map(({ id, by, taskTitle, nickName, submitTime, auditStatus }) => (
          <li key={id}>
            <strong>{t(by === 'image' ? workbenchMessages.sameImage : workbenchMessages.sameLink)}</strong>
            <span>{[nickName, taskTitle, submitTime, t(state(auditStatus) as LocalizedText)].join(' · ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Section({ title, children }: { readonly title: LocalizedText; readonly children: ReactNode }) {
  const t = useTranslation();
  return (
    <section className={styles.section}>
      <h3>{t(title)}</h3>
      {children}
    </section>
  );
}

function Fact({ title, children }: { readonly title: LocalizedText; readonly children: ReactNode }) {
  const t = useTranslation();
  return (
    <div>
      <dt>{t(title)}</dt>
      <dd>{children}</dd>
    </div>
  );
}
