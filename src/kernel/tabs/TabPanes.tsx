import { Activity, memo, type ReactNode, useLayoutEffect, useRef } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { PageContent } from '../router/PageContent.tsx';
import { useLocationTitle } from '../router/place-title.ts';
import { useService } from '../services.tsx';
import { useStream } from '../use-stream.ts';
import { PaneContext } from './pane-context.ts';
import styles from './TabPanes.module.css';
import { paneId, tabId } from './tab-ids.ts';
import { TabStore } from './tab-store.ts';
import type { Tab } from './tabs.ts';

/** Every living page, hidden ones included, in the order in which they were opened; beside them the page that is no tab. */
export function TabPanes({ hasTagBar }: { readonly hasTagBar: boolean }) {
  const store = useService(TabStore);
  const tabs = useStream(store.tabs$, []);
  const alive = useStream(store.alive$, []);
  const active = useStream(store.active$, undefined);
  const titleOf = useLocationTitle();
  return (
    <>
      {tabs
        .filter((tab) => alive.includes(tab.key))
        .map((tab) => (
          <Activity key={`${tab.key}#${tab.generation}`} mode={tab.key === active ? 'visible' : 'hidden'}>
            <TabPane tab={tab} title={titleOf(tab.location, tab.title)} isPanel={hasTagBar} />
          </Activity>
        ))}
      {active === undefined && <LoosePane />}
    </>
  );
}

interface TabPaneProps {
  readonly tab: Tab;
  readonly title: string;
  readonly isPanel: boolean;
}

const TabPane = memo(function TabPane({ tab, title, isPanel }: TabPaneProps) {
  const store = useService(TabStore);
  const panel = isPanel ? { role: 'tabpanel', id: paneId(tab.key), 'aria-labelledby': tabId(tab.key) } : {};
  return (
    <PaneContext value={store.pane(tab.key)}>
      <ScrollKeeper panel={panel}>
        {title && <h1 className="visually-hidden">{title}</h1>}
        <Routes location={tab.location}>
          <Route path="*" element={<PageContent />} />
        </Routes>
      </ScrollKeeper>
    </PaneContext>
  );
}, isSamePane);

/** What the bar shows of a tab changes more often than its page needs to know. */
function isSamePane(before: TabPaneProps, now: TabPaneProps): boolean {
  return before.title === now.title && before.isPanel === now.isPanel && before.tab.key === now.tab.key && before.tab.generation === now.tab.generation;
}

function LoosePane() {
  const store = useService(TabStore);
  const { pathname } = useLocation();
  const title = useLocationTitle()(pathname);
  return (
    <PaneContext value={store.loosePane}>
      <div className={styles.pane} key={pathname}>
        {title && <h1 className="visually-hidden">{title}</h1>}
        <PageContent />
      </div>
    </PaneContext>
  );
}

/** A hidden box forgets how far it was scrolled; this one is told when it comes back. */
function ScrollKeeper({ panel, children }: { readonly panel: object; readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const top = useRef(0);
  useLayoutEffect(() => {
    if (box.current) box.current.scrollTop = top.current;
  }, []);
  return (
    <div {...panel} ref={box} className={styles.pane} onScroll={(event) => (top.current = event.currentTarget.scrollTop)}>
      {children}
    </div>
  );
}
