import type { ReactNode } from 'react';
import { useText } from '../i18n/use-words.ts';
import { HomePanels } from '../slots/kernel-slots.ts';
import { Panels } from '../slots/Panels.tsx';
import { Greeting } from './Greeting.tsx';
import styles from './Home.module.css';
import { RecentPlaces } from './RecentPlaces.tsx';
import { Shortcuts } from './Shortcuts.tsx';

/** Home until a plugin claims it: who is here, where they may go, where they have been. */
export function Home() {
  const text = useText();
  return (
    <div className={styles.home}>
      <Greeting />
      <HomePanel title={text('shell.shortcuts')}>
        <Shortcuts />
      </HomePanel>
      <HomePanel title={text('shell.recentPages')}>
        <RecentPlaces />
      </HomePanel>
      <HomeGuests />
    </div>
  );
}

/** The panels that plugins add to the first page. */
export const HomeGuests = () => <Panels of={HomePanels} frame={(title, content) => <HomePanel title={title}>{content}</HomePanel>} />;

/** A part of the first page under its heading; `aside` stands at the end of the heading's line. */
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
