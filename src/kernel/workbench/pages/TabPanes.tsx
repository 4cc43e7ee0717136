import { Activity, memo, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Location, Route, Routes, useNavigate } from 'react-router-dom';
import { useAfterPaint } from '../../base/react/after-paint.ts';
import { useService, useServices } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { useUnmount } from '../../base/react/use-unmount.ts';
import { PaneContext } from '../../ui/pane/pane-context.ts';
import { isTabRoute } from '../routes/resolve.ts';
import { useResolvedRoute } from '../routes/route-table.tsx';
import { useLocationTitle } from '../routes/route-title.ts';
import { useAddress } from '../routes/use-address.ts';
import { PaneProvider } from '../tabs/PaneProvider.tsx';
import { paneId, tabId } from '../tabs/tab-details.ts';
import type { OpenPage } from '../tabs/tab-rules.ts';
import { TabStore } from '../tabs/tab-store.ts';
import { PageContent } from './PageContent.tsx';
import styles from './TabPanes.module.css';

/** Renders every mounted page, hidden ones included, in the order in which they were opened, because moving a node reloads its frames; and the page that is no tab. */
export const TabPanes = memo(function TabPanes({ hasTagBar }: { readonly hasTagBar: boolean }) {
  const store = useService(TabStore);
  const tabs = useStream(store.tabs$, []);
  const alive = useStream(store.alive$, []);
  const active = useStream(store.active$, undefined);
  // A large page takes long to lay out when it is shown again, so its tab is painted as selected first.
  const painted = useAfterPaint(active);
  const panes = useMemo(() => tabs.filter((tab) => alive.includes(tab.key)).toSorted((one, other) => one.serial - other.serial), [tabs, alive]);
  const visible = active !== undefined && panes.some(({ key }) => key === painted) ? painted : active;
  return (
    <>
      {panes.map((tab) => (
        <Activity key={`${tab.key}#${tab.generation}`} mode={tab.key === visible ? 'visible' : 'hidden'}>
          <TabPane tab={tab} isPanel={hasTagBar} />
        </Activity>
      ))}
      {active === undefined && <DetachedPane />}
    </>
  );
});

interface TabPaneProps {
  readonly tab: OpenPage;
  readonly isPanel: boolean;
}

const TabPane = memo(function TabPane({ tab, isPanel }: TabPaneProps) {
  const store = useService(TabStore);
  const services = useServices();
  const panel = isPanel ? { role: 'tabpanel', id: paneId(tab.key), 'aria-labelledby': tabId(tab.key) } : {};
  return (
    <PaneContext value={store.pane(tab.key)}>
      <PaneProvider services={services}>
        <ScrollKeeper panel={panel} tab={tab.key}>
          {tab.title && <h1 className="visually-hidden">{tab.title}</h1>}
          <Routes location={tab.location}>
            <Route path="*" element={<PageContent />} />
          </Routes>
        </ScrollKeeper>
      </PaneProvider>
    </PaneContext>
  );
}, isSamePane);

/** Ignores changes of a tab that only the tab bar shows. */
function isSamePane(before: TabPaneProps, now: TabPaneProps): boolean {
  const isSameTab = before.tab.key === now.tab.key && before.tab.generation === now.tab.generation;
  return isSameTab && before.tab.title === now.tab.title && before.isPanel === now.isPanel;
}

function DetachedPane() {
  const address = useAddress();
  const { pathname, search } = address;
  // The address is about to open as a tab: rendering it here first would mount the page, and load its frame, twice.
  if (isTabRoute(useResolvedRoute(pathname + search))) return null;
  return <DetachedPage key={pathname} address={address} />;
}

function DetachedPage({ address }: { readonly address: Location }) {
  const store = useService(TabStore);
  const services = useServices();
  const title = useLocationTitle()(address.pathname);
  const navigate = useNavigate();
  const [pane] = useState(() =>
    store.createDetachedPane(address.pathname + address.search, (search, change) =>
      navigate({ pathname: address.pathname, search }, { replace: change === 'replace' }),
    ),
  );
  useEffect(() => pane.address.follow(address.search), [pane, address.search]);
  useUnmount(pane, ({ lifetime }) => lifetime.unsubscribe());
  return (
    <PaneContext value={pane}>
      <PaneProvider services={services}>
        <div data-pane="" className={styles.pane}>
          {title && <h1 className="visually-hidden">{title}</h1>}
          <Routes location={address}>
            <Route path="*" element={<PageContent />} />
          </Routes>
        </div>
      </PaneProvider>
    </PaneContext>
  );
}

interface ScrollKeeperProps {
  readonly panel: object;
  readonly tab: string;
  readonly children: ReactNode;
}

/** Restores the scroll position, which a hidden element loses. It also hides the page from assistive technology as soon as another tab is selected. */
function ScrollKeeper({ panel, tab, children }: ScrollKeeperProps) {
  const isInactive = useStream(useService(TabStore).active$, tab) !== tab;
  const box = useRef<HTMLDivElement>(null);
  const scrollTop = useRef(0);
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = scrollTop.current;
  }, []);
  return (
    <div
      {...panel}
      {...(isInactive ? { 'aria-hidden': true } : {})}
      ref={box}
      data-pane=""
      className={styles.pane}
      onScroll={(event) => (scrollTop.current = event.currentTarget.scrollTop)}
    >
      {children}
    </div>
  );
}
