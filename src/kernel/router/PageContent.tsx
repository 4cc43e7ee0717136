import { lazy, memo, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { PageBoundary } from '../errors/PageBoundary.tsx';
import { PageFailure } from '../errors/PageFailure.tsx';
import { ProblemView } from '../errors/ProblemView.tsx';
import { useText } from '../i18n/use-words.ts';
import { MenuTree } from '../menu/menu.ts';
import { part } from '../part.tsx';
import type { ClaimedPage } from '../plugin-host/claimed-pages.ts';
import { lifeOf } from '../plugin-host/life-of.ts';
import { PluginHost } from '../plugin-host/plugin-host.ts';
import { useService } from '../services.tsx';
import { Home } from '../shell/Home.tsx';
import { PaneProvider } from '../tabs/PaneProvider.tsx';
import { usePlace } from './atlas.tsx';
import { FramePage } from './FramePage.tsx';
import { PageSkeleton } from './PageSkeleton.tsx';
import { ProblemPage } from './ProblemPage.tsx';
import { Progress } from './progress.ts';

const InspectorPage = part(() => import('../inspector/InspectorPage.tsx'));
const LogsPage = part(() => import('../errors/LogsPage.tsx'));

const UnclaimedPage = part(() => import('./UnclaimedPage.tsx'));
const ConsentPage = part(() => import('../account/ConsentPage.tsx'));
const AccountPage = part(() => import('../account/AccountPage.tsx'));

/** What stands at the address around it: the tab's own in a tab, the window's elsewhere. */
export function PageContent() {
  const { pathname, search } = useLocation();
  const place = usePlace(pathname + search);
  switch (place.kind) {
    case 'waiting':
      return <PageSkeleton />;
    case 'redirect':
      return null;
    case 'page':
      return <PluginPage key={`${lifeOf(place.page.services)} ${place.page.menu.code}`} page={place.page} />;
    default:
  }
  return (
    <>
      <Arrived />
      {place.kind === 'home' && <Home />}
      {place.kind === 'info' && (
        <Suspense fallback={<PageSkeleton />}>
          <AccountPage />
        </Suspense>
      )}
      {place.kind === 'logs' && (
        <Suspense fallback={<PageSkeleton />}>
          <LogsPage />
        </Suspense>
      )}
      {place.kind === 'inspector' && (
        <Suspense fallback={<PageSkeleton />}>
          <InspectorPage />
        </Suspense>
      )}
      {place.kind === 'consent' && (
        <Suspense fallback={<PageSkeleton />}>
          <ConsentPage />
        </Suspense>
      )}
      {place.kind === 'frame' && <FramePage item={place.item} />}
      {place.kind === 'unclaimed' && (
        <Suspense fallback={<PageSkeleton />}>
          <UnclaimedPage item={place.item} />
        </Suspense>
      )}
      {place.kind === 'menuFailed' && <MenuFailure message={place.message} />}
      {place.kind === 'problem' && <ProblemPage status={place.status} />}
    </>
  );
}

/** A plugin's page with that plugin's services; its failure stays in it and is told to the host. That the operator goes from tab to tab draws none again. */
const PluginPage = memo(function PluginPage({ page }: { readonly page: ClaimedPage }) {
  const host = useService(PluginHost);
  const [Loaded, setLoaded] = useState(() => lazy(page.load));
  return (
    <PaneProvider services={page.services}>
      <PageBoundary
        onError={(error) => host.pageFailed(page.pluginId, error)}
        fallback={(error, retry) => (
          <>
            <Arrived />
            <PageFailure
              error={error}
              pluginId={page.pluginId}
              onRetry={() => {
                // A failed load stays failed inside of `lazy`: every retry takes a new one.
                setLoaded(() => lazy(page.load));
                retry();
              }}
            />
          </>
        )}
      >
        <Suspense fallback={<PageSkeleton />}>
          <Arrived />
          <Loaded />
          <Drawn pluginId={page.pluginId} />
        </Suspense>
      </PageBoundary>
    </PaneProvider>
  );
});

/** Tells the host that a page of a plugin has been drawn. */
function Drawn({ pluginId }: { readonly pluginId: string }) {
  const host = useService(PluginHost);
  useEffect(() => host.pageDrawn(pluginId), [host, pluginId]);
  return null;
}

/** Tells that a page is on screen, when it is first shown and when a hidden one comes back. */
function Arrived() {
  const progress = useService(Progress);
  useEffect(() => {
    progress.finish();
  }, [progress]);
  return null;
}

function MenuFailure({ message }: { readonly message: string }) {
  const text = useText();
  const menu = useService(MenuTree);
  return (
    <ProblemView title={text('errors.menuFailedTitle')} explanation={message} actions={[{ label: text('errors.retry'), onAction: () => void menu.load() }]} />
  );
}
