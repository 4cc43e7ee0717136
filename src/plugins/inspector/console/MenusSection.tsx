import { useState } from 'react';
import { Tabs, useCan, useDiagnostics, useService, useTranslation } from '#kernel';
import { explainPage } from '#shared/explain-page';
import { menuAnswers } from './inspection.ts';
import styles from './inspector.module.css';
import { words } from './messages.ts';
import { Rows } from './Rows.tsx';

/** Lists every page of the deployment and every menu entry, with the reason it is shown or hidden. */
export function MenusSection() {
  const t = useTranslation();
  const tabs = useService(Tabs);
  const mayExplain = useCan(explainPage.code);
  const diagnostics = useDiagnostics();
  const [sought, setSought] = useState('');
  const answers = menuAnswers(diagnostics).filter(({ code, title, pluginId }) =>
    `${code} ${t(title)} ${pluginId}`.toLowerCase().includes(sought.toLowerCase()),
  );
  const explain = (about: string) => tabs.open({ location: `${explainPage.path}/index?about=${encodeURIComponent(about)}` });
  return (
    <>
      <div className={styles.bar}>
        <input aria-label={t(words.filter)} placeholder={t(words.filter)} value={sought} onChange={({ target }) => setSought(target.value)} />
        <span className={styles.quiet}>{answers.length}</span>
      </div>
      <Rows
        label={t(words.menus)}
        heads={[words.page, words.answer, words.plugin].map((head) => t(head))}
        rows={answers.slice(0, 500).map(({ code, title, pluginId, isShown, verdict, about }, index) => ({
          key: `${index} ${code}`,
          tone: isShown ? 'plain' : 'warning',
          cells: [
            <>
              {t(title).slice(0, 80)} <span className={styles.quiet}>{code}</span>
            </>,
            <>
              {t(verdict)}
              {about && mayExplain && (
                <span className={styles.bar}>
                  <button type="button" onClick={() => explain(about)}>
                    {t(words.explain)}
                  </button>
                </span>
              )}
            </>,
            pluginId,
          ],
        }))}
      />
    </>
  );
}
