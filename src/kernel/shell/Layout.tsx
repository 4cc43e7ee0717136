import { type KeyboardEvent, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Manifest } from '#shared/manifest';
import { useText } from '../i18n/use-words.ts';
import { Navigator } from '../router/Navigator.tsx';
import { useService } from '../services.tsx';
import { TabBar } from '../tabs/TabBar.tsx';
import { TabPanes } from '../tabs/TabPanes.tsx';
import { useStore } from '../use-store.ts';
import { Announcer } from './Announcer.tsx';
import { useClearCache } from './clear-cache.ts';
import { FaultNotice } from './FaultNotice.tsx';
import styles from './Layout.module.css';
import { mainId } from './main-id.ts';
import { ProgressBar } from './ProgressBar.tsx';
import { Preferences } from './preferences.ts';
import { Sidebar } from './Sidebar.tsx';
import { TopBar } from './TopBar.tsx';
import { useWidthClass } from './width-class.ts';

/** The shell: navigation at the side, tools at the top, pages in between. */
export function Layout({ product }: { readonly product: Manifest['product'] }) {
  const text = useText();
  const preferences = useService(Preferences);
  const { tagBar, sidebarCollapsed } = useStore(preferences, whole);
  const clearCache = useClearCache();
  const width = useWidthClass();
  const isNarrow = width === 0;
  const drawer = useDrawer();
  const isCollapsed = !isNarrow && (width === 1 || sidebarCollapsed);

  return (
    <div className={styles.shell} data-width={width}>
      <a className={styles.skip} href={`#${mainId}`} onClick={focusMain}>
        {text('shell.skip')}
      </a>
      <ProgressBar />
      <Navigator />
      <Announcer productTitle={product.title} />
      {!isNarrow && <Sidebar title={product.title} isCollapsed={isCollapsed} />}
      {isNarrow && drawer.isOpen && (
        <div ref={focusFirstLink} className={styles.drawer} onKeyDown={drawer.onKeyDown} role="dialog" aria-modal="true" aria-label={text('shell.navigation')}>
          <button type="button" className={styles.shade} aria-label={text('shell.closeNavigation')} onClick={drawer.close} />
          <Sidebar title={product.title} isCollapsed={false} />
        </div>
      )}
      <div className={styles.column} inert={isNarrow && drawer.isOpen}>
        <TopBar
          isNarrow={isNarrow}
          isCollapsed={isCollapsed}
          isDrawerOpen={drawer.isOpen}
          onToggle={isNarrow ? drawer.toggle : () => preferences.change({ sidebarCollapsed: !sidebarCollapsed })}
        />
        {tagBar && <TabBar onClearCache={clearCache} />}
        <FaultNotice />
        <main id={mainId} className={styles.main} tabIndex={-1}>
          <TabPanes hasTagBar={tagBar} />
        </main>
      </div>
    </div>
  );
}

const whole = <State,>(state: State) => state;

function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById(mainId)?.focus();
}

/** The navigation of narrow screens: it goes when a page is chosen and on Escape. */
function useDrawer() {
  const { key } = useLocation();
  const [openedAt, setOpenedAt] = useState<string>();
  const isOpen = openedAt === key;
  const close = () => setOpenedAt(undefined);
  return { isOpen, close, toggle: () => setOpenedAt(isOpen ? undefined : key), onKeyDown: (event: KeyboardEvent) => event.key === 'Escape' && close() };
}

function focusFirstLink(drawer: HTMLElement | null): void {
  drawer?.querySelector('a')?.focus();
}
