import { lazy, memo, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { PageBoundary } from '../errors/PageBoundary.tsx';
import { PageFailure } from '../errors/PageFailure.tsx';
import { ProblemView } from '../errors/ProblemView.tsx';
import { useText } from '../i18n/use-words.ts';
import { MenuTree } from '../menu/menu.ts';
import { part } from '../part.tsx';
import { instanceKey } from '../plugin-host/instance-key.ts';
import { PluginHost } from '../plugin-host/plugin-host.ts';
import type { RegisteredPage } from '../plugin-host/registered-pages.ts';
import { useService } from '../services.tsx';
import { Home } from '../shell/Home.tsx';
import { PaneProvider } from '../tabs/PaneProvider.tsx';
import { FramePage } from './FramePage.tsx';
import { PageSkeleton } from './PageSkeleton.tsx';
import { ProblemPage } from './ProblemPage.tsx';
import { Progress } from './progress.ts';
import { usePlace } from './route-table.tsx';

const LogsPage = part(() => import('../errors/LogsPage.tsx'));

const UnclaimedPage = part(() => import('./UnclaimedPage.tsx'));
const ConsentPage = part(() => import('../account/ConsentPage.tsx'));
const AccountPage = part(() => import('../account/AccountPage.tsx'));

/** Renders the page at the surrounding router's location: the tab's own in a tab, the window's elsewhere. */
export function PageContent() {
  const { pathname, search } = useLocation();
  const place = usePlace(pathname + search);
  switch (place.kind) {
    case 'waiting':
      return <PageSkeleton />;
    case 'redirect':
      return null;
    case 'page':
      return <PluginPage key={`${instanceKey(place.page.services)} ${place.page.menu.code}`} page={place.page} />;
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

/** Renders a plugin's page with the plugin's services; a failure stays within it and is reported to the host. Changing tabs does not render it again. */
const PluginPage = memo(function PluginPage({ page }: { readonly page: RegisteredPage }) {
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
                // `lazy` caches a failed load, so every retry creates a new one.
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

/** Reports to the host that a page of a plugin has rendered. */
function Drawn({ pluginId }: { readonly pluginId: string }) {
  const host = useService(PluginHost);
  useEffect(() => host.pageDrawn(pluginId), [host, pluginId]);
  return null;
}

/** Ends the progress bar when a page is first shown and when a hidden one is shown again. */
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
