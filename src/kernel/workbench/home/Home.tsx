import type { ReactNode } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Panels } from '../../ui/slots/Panels.tsx';
import { HomePanels } from '../slots.ts';
import styles from './Home.module.css';
import { RecentPageList } from './RecentPageList.tsx';
import { Shortcuts } from './Shortcuts.tsx';

/** Home page unless a plugin provides one: first pages of the menu, recent pages. */
export function Home() {
  const t = useTranslation();
  return (
    <div className={styles.home}>
      <HomePanel title={t('shell.shortcuts')}>
        <Shortcuts />
      </HomePanel>
      <HomePanel title={t('shell.recentPages')}>
        <RecentPageList />
      </HomePanel>
      <HomeContributions />
    </div>
  );
}

/** Renders the panels that plugins add to the home page. */
export const HomeContributions = () => <Panels slot={HomePanels} frame={(title, content) => <HomePanel title={title}>{content}</HomePanel>} />;

/** Renders a panel of the home page with its heading; `aside` is at the end of the heading's line. */
export function HomePanel({ title, aside, children }: { readonly title: string; readonly aside?: ReactNode; readonly children: ReactNode }) {
  return (
    <section className={styles.panel}>
      <header className={styles.panelHead}>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
