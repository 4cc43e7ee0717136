import { useState } from 'react';
import { explainPage } from '#shared/explain-page';
import { useService } from '../base/react/services.tsx';
import { useWords } from '../platform/i18n/use-words.ts';
import { useCan } from '../platform/permission/use-can.tsx';
import { Tabs } from '../workbench/tabs/tabs.ts';
import { menuAnswers } from './inspection.ts';
import styles from './inspector.module.css';
import { Rows } from './Rows.tsx';
import { useInspected } from './use-inspected.ts';
import { words } from './words.ts';

/** Lists every page of the deployment and every menu entry, with the reason it is shown or hidden. */
export function MenusSection() {
  const say = useWords();
  const tabs = useService(Tabs);
  const mayExplain = useCan(explainPage.code);
  const inspected = useInspected();
  const [sought, setSought] = useState('');
  const answers = menuAnswers(inspected).filter(({ code, title, pluginId }) =>
    `${code} ${say(title)} ${pluginId}`.toLowerCase().includes(sought.toLowerCase()),
  );
  const explain = (about: string) => tabs.open({ location: `${explainPage.path}/index?about=${encodeURIComponent(about)}` });
  return (
    <>
      <div className={styles.bar}>
        <input aria-label={say(words.filter)} placeholder={say(words.filter)} value={sought} onChange={({ target }) => setSought(target.value)} />
        <span className={styles.quiet}>{answers.length}</span>
      </div>
      <Rows
        label={say(words.menus)}
        heads={[words.page, words.answer, words.plugin].map((head) => say(head))}
        rows={answers.slice(0, 500).map(({ code, title, pluginId, isShown, verdict, about }, place) => ({
          key: `${place} ${code}`,
          tone: isShown ? 'plain' : 'warning',
          cells: [
            <>
              {say(title).slice(0, 80)} <span className={styles.quiet}>{code}</span>
            </>,
            <>
              {say(verdict)}
              {about && mayExplain && (
                <span className={styles.bar}>
                  <button type="button" onClick={() => explain(about)}>
                    {say(words.explain)}
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
