import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { roleNames } from '../auth/role-names.ts';
import { Session } from '../auth/session.ts';
import type { TextKey } from '../i18n/texts.ts';
import { useText, useWords } from '../i18n/use-words.ts';
import { useAtlas, useMenuItems, useMenuTitles } from '../router/atlas.tsx';
import { addressOf, leavesOf, opensWindow } from '../router/menu-address.ts';
import { useLocationTitle } from '../router/place-title.ts';
import { useService } from '../services.tsx';
import { useStore } from '../use-store.ts';
import { useStream } from '../use-stream.ts';
import styles from './Home.module.css';
import { Icon } from './Icon.tsx';
import { MenuIcon } from './MenuIcon.tsx';
import { RecentPages } from './recent-pages.ts';

const greetings: readonly (readonly [untilHour: number, key: TextKey])[] = [
  [11, 'shell.greetingMorning'],
  [13, 'shell.greetingNoon'],
  [18, 'shell.greetingAfternoon'],
  [24, 'shell.greetingEvening'],
];

/** Home until a plugin claims it: who is here, where they may go, where they have been. */
export function Home() {
  const text = useText();
  const session = useService(Session);
  const user = useStream(session.user$, session.user);
  const greeting = greetings.find(([until]) => new Date().getHours() < until)?.[1] ?? 'shell.greetingEvening';
  return (
    <div className={styles.home}>
      <section className={styles.hello}>
        <h2>{text(greeting, { name: user?.real_name || user?.user_name || user?.account || '' })}</h2>
        <p>{text('shell.roleLine', { role: roleNames(user, text('shell.listSeparator')) })}</p>
      </section>
      <Panel title={text('shell.shortcuts')}>
        <Shortcuts />
      </Panel>
      <Panel title={text('shell.recentPages')}>
        <Recent />
      </Panel>
    </div>
  );
}

function Panel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.panel}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Shortcuts() {
  const text = useText();
  const say = useWords();
  const titleOf = useMenuTitles();
  const { menu } = useAtlas();
  const leaves = leavesOf(useMenuItems()).filter((item) => !opensWindow(item));
  if (leaves.length === 0) return menu.status === 'ready' ? <p className={styles.nothing}>{text('shell.noPages')}</p> : <div className={styles.space} />;
  return (
    <ul className={styles.tiles}>
      {leaves.slice(0, 12).map((item) => (
        <li key={item.id}>
          <Link to={addressOf(item)} className={styles.tile}>
            <span className={styles.tileIcon}>
              <MenuIcon name={item.source} />
            </span>
            <span className={styles.tileName}>{say(titleOf(item))}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Recent() {
  const text = useText();
  const titleOf = useLocationTitle();
  const locations = useStore(useService(RecentPages), ({ locations: visited }) => visited);
  const known = locations.map((location) => ({ location, title: titleOf(location) })).filter(({ title }) => title !== '');
  if (known.length === 0) return <p className={styles.nothing}>{text('shell.noRecentPages')}</p>;
  return (
    <ul className={styles.recent}>
      {known.map(({ location, title }) => (
        <li key={location}>
          <Link to={location}>
            <span>{title}</span>
            <Icon name="chevronRight" size={16} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
