import type { LocalizedText } from '#shared/text';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { BrandMark } from '../../ui/primitives/BrandMark.tsx';
import { useRouteTable } from '../routes/route-table.tsx';
import { MenuEntries } from './MenuEntries.tsx';
import { SectionStrip } from './SectionStrip.tsx';
import styles from './Sidebar.module.css';
import { HomeLink } from './SidebarLink.tsx';
import type { Sections } from './use-sections.ts';

interface SidebarProps {
  readonly title: LocalizedText;
  readonly sections: Sections;
  /** True to show icons only; groups open beside the bar then. */
  readonly isCollapsed: boolean;
  /** True when the sections are selected here, because there is no top bar beside it. */
  readonly hasSections?: boolean;
}

/** Renders the server's menu as a list of links; groups open in place. */
export function Sidebar({ title, sections, isCollapsed, hasSections = false }: SidebarProps) {
  const t = useTranslation();
  return (
    <aside className={styles.sidebar} data-collapsed={isCollapsed}>
      <div className={styles.brand}>
        <BrandMark size={30} />
        <span className={styles.title}>{t(title)}</span>
      </div>
      {hasSections && sections.list.length > 0 && <SectionStrip sections={sections} isWrapped />}
      <nav className={styles.navigation} aria-label={t('shell.navigation')}>
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
  const { menu } = useRouteTable();
  if (menu.status === 'ready' || menu.status === 'failed') return null;
  return (
    <div className={styles.pending} aria-hidden="true">
      {[72, 56, 64, 48].map((width) => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
