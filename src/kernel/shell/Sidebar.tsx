import type { Words } from '#shared/text';
import { useText, useWords } from '../i18n/use-words.ts';
import { useAtlas } from '../router/atlas.tsx';
import { BrandMark } from './BrandMark.tsx';
import { MenuEntries } from './MenuEntries.tsx';
import { SectionStrip } from './SectionStrip.tsx';
import styles from './Sidebar.module.css';
import { HomeLink } from './SidebarLink.tsx';
import type { Sections } from './use-sections.ts';

interface SidebarProps {
  readonly title: Words;
  readonly sections: Sections;
  /** Icons alone; groups open beside it. */
  readonly isCollapsed: boolean;
  /** It stands alone, so the sections are chosen in it. */
  readonly hasSections?: boolean;
}

/** The server's menu as a list of links, groups opening in place. */
export function Sidebar({ title, sections, isCollapsed, hasSections = false }: SidebarProps) {
  const text = useText();
  const say = useWords();
  return (
    <aside className={styles.sidebar} data-collapsed={isCollapsed}>
      <div className={styles.brand}>
        <BrandMark size={30} />
        <span className={styles.title}>{say(title)}</span>
      </div>
      {hasSections && sections.list.length > 0 && <SectionStrip sections={sections} isWrapped />}
      <nav className={styles.navigation} aria-label={text('shell.navigation')}>
        <ul className={styles.list}>
          <HomeLink />
          <MenuEntries items={sections.items} opens={isCollapsed ? 'beside' : 'inPlace'} />
        </ul>
        {sections.items.length === 0 && <MenuPending />}
      </nav>
    </aside>
  );
}

function MenuPending() {
  const { menu } = useAtlas();
  if (menu.status === 'ready' || menu.status === 'failed') return null;
  return (
    <div className={styles.pending} aria-hidden="true">
      {[72, 56, 64, 48].map((width) => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
