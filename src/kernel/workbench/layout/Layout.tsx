import { type KeyboardEvent, memo, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { Manifest } from '#shared/manifest';
import type { LocalizedText } from '#shared/text';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useStream } from '../../base/react/use-stream.ts';
import { SafeMode } from '../../host/plugin-host/safe-mode.ts';
import { ToastQueue } from '../../platform/feedback/toast-queue.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useUser } from '../../platform/session/use-user.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { useBreakpoint } from '../../ui/primitives/breakpoint.ts';
import { mainId, toggleId } from '../../ui/primitives/element-ids.ts';
import { ConnectionBanner } from '../banners/ConnectionBanner.tsx';
import { FaultNotice } from '../banners/FaultNotice.tsx';
import { VersionPrompt } from '../banners/VersionPrompt.tsx';
import { Breadcrumb } from '../navigation/Breadcrumb.tsx';
import { HorizontalMenu } from '../navigation/HorizontalMenu.tsx';
import { SectionStrip } from '../navigation/SectionStrip.tsx';
import { Sidebar } from '../navigation/Sidebar.tsx';
import { type Sections, useSections } from '../navigation/use-sections.ts';
import { Navigator } from '../pages/Navigator.tsx';
import { TabPanes } from '../pages/TabPanes.tsx';
import { PaletteHost } from '../palette/PaletteHost.tsx';
import { Preloader } from '../routes/Preloader.tsx';
import { Progress } from '../routes/progress.ts';
import { useLocationTitle } from '../routes/route-title.ts';
import { useAddress } from '../routes/use-address.ts';
import { MaximizedContent } from '../state/maximized-content.ts';
import { Preferences } from '../state/preferences.ts';
import { RestoreButton } from '../tab-bar/RestoreButton.tsx';
import tabBarStyles from '../tab-bar/TabBar.module.css';
import { tabDetails } from '../tabs/tab-details.ts';
import { keyOf } from '../tabs/tab-rules.ts';
import { TabStore } from '../tabs/tab-store.ts';
import topBar from '../top-bar/TopBar.module.css';
import { TopBar } from '../top-bar/TopBar.tsx';
import styles from './Layout.module.css';
import progressStyles from './ProgressBar.module.css';

const SafeBanner = lazyComponent(() => import('../banners/SafeBanner.tsx'));
const PreviewBanner = lazyComponent(() => import('../preview/PreviewBanner.tsx'));

/** Renders the shell: navigation at the side or above, tools at the top, pages in between. */
export function Layout({ product: { title }, modes }: Pick<Manifest, 'product' | 'modes'>) {
  const t = useTranslation();
  const tagBar = useStore(useService(Preferences), (state) => state.tagBar);
  const { isMaximized } = useStore(useService(MaximizedContent), wholeState);
  const arrangement = useArrangement();
  const { width, isNarrow, layout, isCollapsed, drawer } = arrangement;
  const sections = useSections(layout);
  const isDrawerOpen = drawer.isOpen && !isMaximized;
  const hasTagBar = tagBar && !isMaximized;

  return (
    <div className={hasTagBar ? styles.shell : `${styles.shell} ${styles.withoutTags}`} data-width={width}>
      <a className={styles.skip} href={`#${mainId}`} onClick={focusMain}>
        {t('shell.skip')}
      </a>
      <ProgressBar />
      <Navigator />
      <Preloader />
      <ConnectionBanner />
      <VersionPrompt />
      <Announcer productTitle={title} />
      <PaletteHost />
      {!isMaximized && !isNarrow && layout !== 'top' && <Sidebar title={title} sections={sections} isCollapsed={isCollapsed} />}
      {isDrawerOpen && (
        <Drawer onClose={drawer.close}>
          <Sidebar title={title} sections={sections} isCollapsed={false} hasSections={isNarrow} />
        </Drawer>
      )}
      <div className={styles.column} inert={isDrawerOpen}>
        <SafeModeNotice />
        <PreviewNotice />
        {!isMaximized && <ShellHeader title={title} hasRoleSwitch={modes.switch} arrangement={arrangement} sections={sections} />}
        {hasTagBar && <TagBar />}
        <FaultNotice />
        <main id={mainId} className={styles.main} tabIndex={-1}>
          <TabPanes hasTagBar={hasTagBar} />
          {isMaximized && <RestoreButton />}
        </main>
      </div>
    </div>
  );
}

/** Shows a banner while only core plugins run. */
function SafeModeNotice() {
  const cause = useStream(useService(SafeMode).cause$, undefined);
  return <Suspense>{cause && <SafeBanner cause={cause} />}</Suspense>;
}

/** Shows a banner while the console is previewed with other roles. */
function PreviewNotice() {
  return <Suspense>{useUser()?.is_preview && <PreviewBanner />}</Suspense>;
}

interface ShellHeaderProps {
  readonly title: Manifest['product']['title'];
  readonly hasRoleSwitch: boolean;
  readonly arrangement: ReturnType<typeof useArrangement>;
  readonly sections: Sections;
}

/** Renders the top bar, the menu if it is above the page, and the breadcrumb or the sections. */
function ShellHeader({ title, hasRoleSwitch, arrangement: { isNarrow, layout, toggle }, sections }: ShellHeaderProps) {
  const hasStrip = !isNarrow && sections.list.length > 0;
  return (
    <>
      <TopBar isNarrow={isNarrow} hasRoleSwitch={hasRoleSwitch} toggle={toggle} brand={layout === 'top' ? title : undefined}>
        {hasStrip ? <SectionStrip sections={sections} /> : <Breadcrumb />}
      </TopBar>
      {layout === 'top' && <HorizontalMenu items={sections.items} />}
      {hasStrip && (
        <div className={topBar.pageBar}>
          <Breadcrumb />
        </div>
      )}
    </>
  );
}

/** Derives the layout from the width of the window and the preferences, and the effect of the navigation button. */
function useArrangement() {
  const preferences = useService(Preferences);
  const { layout: preferred, sidebarCollapsed } = useStore(preferences, wholeState);
  const width = useBreakpoint();
  const drawer = useDrawer();
  const isNarrow = width === 0;
  const layout = isNarrow ? 'side' : preferred;
  const opensDrawer = width <= 1 && layout !== 'top';
  const isCollapsed = width === 1 || sidebarCollapsed;
  const shownDrawer = { ...drawer, isOpen: drawer.isOpen && opensDrawer };
  const drawerButton = { label: 'shell.openNavigation', icon: 'menu', isExpanded: shownDrawer.isOpen, onToggle: drawer.toggle } as const;
  const collapse = () => preferences.change({ sidebarCollapsed: !sidebarCollapsed });
  const collapseButton = {
    label: isCollapsed ? 'shell.expand' : 'shell.collapse',
    icon: isCollapsed ? 'expand' : 'collapse',
    isExpanded: !isCollapsed,
  } as const;
  const toggle = opensDrawer ? drawerButton : layout === 'top' ? undefined : { ...collapseButton, onToggle: collapse };
  return { width, isNarrow, layout, isCollapsed, drawer: shownDrawer, toggle };
}

const wholeState = <State,>(state: State) => state;

function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById(mainId)?.focus();
}

/** Shows the navigation over the page on narrow screens. */
function Drawer({ onClose, children }: { readonly onClose: () => void; readonly children: ReactNode }) {
  const t = useTranslation();
  const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
  return (
    <div ref={focusFirstLink} className={styles.drawer} onKeyDown={onKeyDown} role="dialog" aria-modal="true" aria-label={t('shell.navigation')}>
      <button type="button" className={styles.shade} aria-label={t('shell.closeNavigation')} onClick={onClose} />
      {children}
    </div>
  );
}

/** Holds the state of the drawer: navigation closes it, and closing it otherwise restores the focus. */
function useDrawer() {
  const { key } = useAddress();
  const [openedAt, setOpenedAt] = useState<string>();
  const isOpen = openedAt === key;
  const close = () => {
    setOpenedAt(undefined);
    // The page behind stays inert until the next frame.
    requestAnimationFrame(() => document.getElementById(toggleId)?.focus());
  };
  return { isOpen, close, toggle: () => (isOpen ? close() : setOpenedAt(key)) };
}

function focusFirstLink(drawer: HTMLElement | null): void {
  drawer?.querySelector('a')?.focus();
}

/** Sets the window title to that of the page, announces each navigation to screen readers, and moves a lost focus to the page. */
function Announcer({ productTitle }: { readonly productTitle: LocalizedText }) {
  const t = useTranslation();
  const product = t(productTitle);
  const { pathname, search } = useAddress();
  const location = keyOf(pathname + search);
  const tabs = useStream(useService(TabStore).tabs$, []);
  // A change of the parameters by the page itself, such as a search, is no navigation: the key stays.
  const tab = tabs.find((open) => open.location === location);
  const tabKey = tab?.key ?? location;
  const pageTitle = tab?.ownTitle;
  const menuTitle = useLocationTitle()(pathname);
  const title = pageTitle ? t(pageTitle) : menuTitle;
  // The tab of this page may not exist yet.
  const currentPage = { title, location, details: tab?.details };
  const detail = tabDetails([...tabs.filter(({ key }) => key !== tabKey), currentPage])(currentPage);
  const [announcement, setAnnouncement] = useState('');
  const lastKey = useRef<string>(undefined);

  const toasts = useService(ToastQueue);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another page
  useEffect(() => () => toasts.leavePage(), [toasts, tabKey]);

  useEffect(() => {
    document.title = title ? `${title} - ${product}` : product;
  }, [title, product]);

  useEffect(() => {
    if (title === '' || lastKey.current === tabKey) return;
    const isFirst = lastKey.current === undefined;
    lastKey.current = tabKey;
    if (isFirst) return;
    setAnnouncement(t('shell.navigatedTo', { title: detail ? `${title} · ${detail}` : title }));
    if (document.activeElement === null || document.activeElement === document.body) document.getElementById(mainId)?.focus({ preventScroll: true });
  }, [tabKey, title, detail, t]);

  return (
    <div className="visually-hidden" role="status">
      {announcement}
    </div>
  );
}

/** Renders the thin bar at the top of the window while a page loads. */
function ProgressBar() {
  const isBusy = useStream(useService(Progress).isBusy$, false);
  return <div className={progressStyles.bar} data-busy={isBusy} aria-hidden="true" />;
}

// Every page can be reached without the bar: one that failed to load is left out until the next reload.
const TabBar = lazyComponent(() => import('../tab-bar/TabBar.tsx'));

/** Renders the tab bar, loaded on demand; its space is reserved meanwhile. */
const TagBar = memo(function TagBar() {
  return (
    <Suspense fallback={<div className={tabBarStyles.bar} />}>
      <TabBar />
    </Suspense>
  );
});
