import { Button, Radio } from '@arco-design/web-react';
import { useState } from 'react';
import { LoadedPart, Locale, useAddressText, useMutation, useQuery, useService, useTranslation } from '#kernel';
import type { Language } from '#shared/text';
import { emailTemplates, type MailDocument, type TestOutcome } from '../contract.ts';
import styles from './email.module.css';
import { emailMessages } from './messages.ts';
import { Outcome } from './TestPanel.tsx';

/** Shows the e-mails that plugins send, with sample values. Top task: see how an e-mail looks in each language, 1 click. */
export default function TemplatePage() {
  const t = useTranslation();
  const query = useQuery(emailTemplates.list, {}, { quiet: true });
  const [selected, setSelected] = useAddressText('kind');
  return (
    <LoadedPart query={query}>
      {(kinds) => {
        const code = kinds.find((one) => one.code === selected)?.code ?? kinds[0]?.code ?? '';
        return (
          <div className={styles.templates}>
            <nav aria-label={t(emailMessages.templates)}>
              <ul>
                {kinds.map((kind) => (
                  <li key={kind.code}>
                    <button type="button" aria-current={kind.code === code} onClick={() => setSelected(kind.code)}>
                      <strong>{kind.title}</strong>
                      <span>{t(emailMessages.uses[kind.use])}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </nav>
            <TemplatePreview key={code} code={code} />
          </div>
        );
      }}
    </LoadedPart>
  );
}

function TemplatePreview({ code }: { readonly code: string }) {
  const t = useTranslation();
  const [language, setLanguage] = useState<Language>(useService(Locale).language);
  const [outcome, setOutcome] = useState<TestOutcome>();
  const query = useQuery(emailTemplates.preview, { code, language }, { quiet: true, keepPreviousData: true });
  const { isPending, mutate } = useMutation(emailTemplates.send, { onSuccess: setOutcome });
  const send = () => {
    setOutcome(undefined);
    void mutate({ code, language });
  };
  return (
    <section className={styles.preview} aria-label={t(emailMessages.preview)}>
      <div className={styles.bar}>
        <Radio.Group type="button" aria-label={t(emailMessages.language)} value={language} onChange={setLanguage}>
          <Radio value="zh">{t(emailMessages.chinese)}</Radio>
          <Radio value="en">{t(emailMessages.english)}</Radio>
        </Radio.Group>
        <Button loading={isPending} onClick={send}>
          {t(emailMessages.sendSample)}
        </Button>
      </div>
      <Outcome outcome={outcome} />
      <LoadedPart query={query}>{(document) => <MailSheet document={document} language={language} />}</LoadedPart>
    </section>
  );
}

/** Renders an e-mail like an e-mail client. */
function MailSheet({ document: { subject, paragraphs, table, action, footer }, language }: { readonly document: MailDocument; readonly language: Language }) {
  const t = useTranslation();
  return (
    <article className={styles.sheet}>
      <header>
        <span>{t(emailMessages.subject)}</span>
        <strong lang={language}>{subject}</strong>
      </header>
      <div className={styles.paper} lang={language}>
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {table && (
          <table>
            <thead>
              <tr>
                {table.headings.map((heading) => (
                  <th key={heading}>{heading}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row) => (
                <tr key={row.join('\t')}>
                  {row.map((cell, index) => (
                    <td key={table.headings[index]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {action && <span className={styles.action}>{action.label}</span>}
        <footer>
          {footer.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </footer>
      </div>
    </article>
  );
}
