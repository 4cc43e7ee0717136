import { Suspense } from 'react';
import type { Manifest } from '#shared/manifest';
import { Session } from '../auth/session.ts';
import { ConnectionBanner } from '../connection/ConnectionBanner.tsx';
import { VersionPrompt } from '../connection/VersionPrompt.tsx';
import { useText } from '../i18n/use-words.ts';
import { PaletteHost } from '../palette/PaletteHost.tsx';
import { part } from '../part.tsx';
import { SafeMode } from '../plugin-host/safe-mode.ts';
import { Navigator } from '../router/Navigator.tsx';
import { useService } from '../services.tsx';
import { ContentView } from '../tabs/content-view.ts';
import { FullContent } from '../tabs/FullContent.tsx';
import { TabPanes } from '../tabs/TabPanes.tsx';
import { TagBar } from '../tabs/TagBar.tsx';
import { useStore } from '../use-store.ts';
import { useStream } from '../use-stream.ts';
import { Announcer } from './Announcer.tsx';
import { Breadcrumb } from './Breadcrumb.tsx';
import { Drawer, useDrawer } from './Drawer.tsx';
import { FaultNotice } from './FaultNotice.tsx';
import { HorizontalMenu } from './HorizontalMenu.tsx';
import styles from './Layout.module.css';
import { mainId } from './main-id.ts';
import { ProgressBar } from './ProgressBar.tsx';
import { Preferences } from './preferences.ts';
import { SectionStrip } from './SectionStrip.tsx';
import { Sidebar } from './Sidebar.tsx';
import topBar from './TopBar.module.css';
import { TopBar } from './TopBar.tsx';
import { type Sections, useSections } from './use-sections.ts';
import { useWidthClass } from './width-class.ts';

const SafeBanner = part(() => import('./SafeBanner.tsx'));
const PreviewBanner = part(() => import('../preview/PreviewBanner.tsx'));

/** Renders the shell: navigation at the side or above, tools at the top, pages in between. */
export function Layout({ product: { title }, modes }: Pick<Manifest, 'product' | 'modes'>) {
  const text = useText();
  const tagBar = useStore(useService(Preferences), (state) => state.tagBar);
  const { isFull } = useStore(useService(ContentView), whole);
  const arrangement = useArrangement();
  const { width, isNarrow, layout, isCollapsed, drawer } = arrangement;
  const sections = useSections(layout);
  const isDrawn = drawer.isOpen && !isFull;

  return (
    <div className={styles.shell} data-width={width}>
      <a className={styles.skip} href={`#${mainId}`} onClick={focusMain}>
        {text('shell.skip')}
      </a>
      <ProgressBar />
      <Navigator />
      <ConnectionBanner />
      <VersionPrompt />
      <Announcer productTitle={title} />
      <PaletteHost />
      {!isFull && !isNarrow && layout !== 'top' && <Sidebar title={title} sections={sections} isCollapsed={isCollapsed} />}
      {isDrawn && (
        <Drawer onClose={drawer.close}>
          <Sidebar title={title} sections={sections} isCollapsed={false} hasSections={isNarrow} />
        </Drawer>
      )}
      <div className={styles.column} inert={isDrawn}>
        <Safe />
        <Preview />
        {!isFull && <Above title={title} maySwitch={modes.switch} arrangement={arrangement} sections={sections} />}
        {tagBar && !isFull && <TagBar />}
        <FaultNotice />
        <main id={mainId} className={styles.main} tabIndex={-1}>
          <TabPanes hasTagBar={tagBar && !isFull} />
          {isFull && <FullContent />}
        </main>
      </div>
    </div>
  );
}

/** Shows a banner while only core plugins run. */
function Safe() {
  const cause = useStream(useService(SafeMode).cause$, undefined);
  return <Suspense>{cause && <SafeBanner cause={cause} />}</Suspense>;
}

/** Shows a banner while the console is previewed with other roles. */
function Preview() {
  const session = useService(Session);
  const user = useStream(session.user$, session.user);
  return <Suspense>{user?.is_preview && <PreviewBanner />}</Suspense>;
}

interface AboveProps {
  readonly title: Manifest['product']['title'];
  readonly maySwitch: boolean;
  readonly arrangement: ReturnType<typeof useArrangement>;
  readonly sections: Sections;
}

/** Renders the top bar, the menu if it is above the page, and the breadcrumb or the sections. */
function Above({ title, maySwitch, arrangement: { isNarrow, layout, toggle }, sections }: AboveProps) {
  const hasStrip = !isNarrow && sections.list.length > 0;
  return (
    <>
      <TopBar isNarrow={isNarrow} maySwitch={maySwitch} toggle={toggle} brand={layout === 'top' ? title : undefined}>
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
  const { layout: preferred, sidebarCollapsed } = useStore(preferences, whole);
  const width = useWidthClass();
  const drawer = useDrawer();
  const isNarrow = width === 0;
  const layout = isNarrow ? 'side' : preferred;
  const opensDrawer = width <= 1 && layout !== 'top';
  const isCollapsed = width === 1 || sidebarCollapsed;
  const shown = { ...drawer, isOpen: drawer.isOpen && opensDrawer };
  const button = { label: 'shell.openNavigation', icon: 'menu', isExpanded: shown.isOpen, onToggle: drawer.toggle } as const;
  const collapse = () => preferences.change({ sidebarCollapsed: !sidebarCollapsed });
  const fold = { label: isCollapsed ? 'shell.expand' : 'shell.collapse', icon: isCollapsed ? 'expand' : 'collapse', isExpanded: !isCollapsed } as const;
  const toggle = opensDrawer ? button : layout === 'top' ? undefined : { ...fold, onToggle: collapse };
  return { width, isNarrow, layout, isCollapsed, drawer: shown, toggle };
}

const whole = <State,>(state: State) => state;

function focusMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById(mainId)?.focus();
}
