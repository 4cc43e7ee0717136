import type { ReactNode } from 'react';
import { FormattedText, useWords } from '#kernel';
import { traitsOf } from '#shared/fields';
import type { Words } from '#shared/text';
import { type AuditItem, Submission } from '../contract.ts';
import styles from './Workbench.module.css';
import { workbenchWords } from './words.ts';

/** Shows the submitted proof beside the requirements of the task. */
export function ProofPanel({ item }: { readonly item: AuditItem }) {
  const say = useWords();
  const { link } = item;
  return (
    <div className={styles.proof}>
      <Twins item={item} />
      <Section title={workbenchWords.proof}>
        <dl className={styles.facts}>
          <Fact title={workbenchWords.worker}>{[item.nickName, item.phone].filter(Boolean).join(' · ')}</Fact>
          {item.platformAccount && <Fact title={workbenchWords.account}>{item.platformAccount}</Fact>}
          {link && (
            <Fact title={workbenchWords.link}>
              {/^https?:\/\//i.test(link) ? (
                <a href={link} target="_blank" rel="noreferrer noopener">
                  {link}
                </a>
              ) : (
                link
              )}
            </Fact>
          )}
          {item.content && <Fact title={workbenchWords.content}>{item.content}</Fact>}
          <Fact title={workbenchWords.time}>{item.submitTime}</Fact>
          <Fact title={workbenchWords.amount}>{yuan(item.amount)}</Fact>
        </dl>
      </Section>
      <Section title={workbenchWords.requirement}>
        <p className={styles.text}>{item.requirement}</p>
      </Section>
      {item.steps && (
        <Section title={workbenchWords.steps}>
          <p className={styles.text}>{item.steps}</p>
        </Section>
      )}
      {item.details && (
        <details>
          <summary>{say(workbenchWords.details)}</summary>
          <FormattedText html={item.details} />
        </details>
      )}
    </div>
  );
}

function Twins({ item: { twins } }: { readonly item: AuditItem }) {
  const say = useWords();
  if (twins.length === 0) return null;
  const state = (status: number) => traitsOf(Submission.fields.auditStatus)?.options?.find(([value]) => value === status)?.[1] ?? ['', ''];
  return (
    <section className={styles.twins}>
      <h3>{say(workbenchWords.twins)}</h3>
      <ul>
        {twins.map(({ id, by, taskTitle, nickName, submitTime, auditStatus }) => (
          <li key={id}>
            <strong>{say(by === 'image' ? workbenchWords.twinImage : workbenchWords.twinLink)}</strong>
            <span>{[nickName, taskTitle, submitTime, say(state(auditStatus) as Words)].join(' · ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Section({ title, children }: { readonly title: Words; readonly children: ReactNode }) {
  const say = useWords();
  return (
    <section className={styles.section}>
      <h3>{say(title)}</h3>
      {children}
    </section>
  );
}

function Fact({ title, children }: { readonly title: Words; readonly children: ReactNode }) {
  const say = useWords();
  return (
    <div>
      <dt>{say(title)}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const yuan = (fen: number) => `¥${(fen / 100).toLocaleString('en', { minimumFractionDigits: 2 })}`;
