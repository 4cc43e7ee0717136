import { lazy, memo, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { instanceKey } from '../../base/container/instance-key.ts';
import { useService } from '../../base/react/services.tsx';
import { PluginHost } from '../../host/plugin-host/plugin-host.ts';
import type { RegisteredPage } from '../../host/plugin-host/registered-pages.ts';
import { isMissingFile } from '../../platform/errors/missing-file.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { MenuTree } from '../../platform/menu/menu.ts';
import { PageBoundary } from '../../ui/errors/PageBoundary.tsx';
import { ProblemView } from '../../ui/errors/ProblemView.tsx';
import { PageSkeleton } from '../../ui/loading/PageSkeleton.tsx';
import { lazyComponent } from '../../ui/loading/part.tsx';
import { Home } from '../home/Home.tsx';
import { Progress } from '../routes/progress.ts';
import { usePlace } from '../routes/route-table.tsx';
import { PaneProvider } from '../tabs/PaneProvider.tsx';
import { FramePage } from './FramePage.tsx';
import { ProblemPage } from './ProblemPage.tsx';

const LogsPage = lazyComponent(() => import('../logs/LogsPage.tsx'));

const UnclaimedPage = lazyComponent(() => import('./UnclaimedPage.tsx'));
const ConsentPage = lazyComponent(() => import('../../account/ConsentPage.tsx'));
const AccountPage = lazyComponent(() => import('../../account/AccountPage.tsx'));

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
  const t = useTranslation();
  const menu = useService(MenuTree);
  return <ProblemView title={t('errors.menuFailedTitle')} explanation={message} actions={[{ label: t('errors.retry'), onAction: () => void menu.load() }]} />;
}

interface PageFailureProps {
  readonly error: unknown;
  readonly pluginId: string;
  readonly onRetry: () => void;
}

/** Replaces a page that failed: names its plugin, offers a retry and shows the details. */
function PageFailure({ error, pluginId, onRetry }: PageFailureProps) {
  const t = useTranslation();
  const host = useService(PluginHost);
  const state = host.states.find(({ id }) => id === pluginId);
  const isChunk = isMissingFile(error);
  return (
    <ProblemView
      scene={isChunk ? 'offline' : 'broken'}
      title={t(isChunk ? 'errors.chunkTitle' : 'errors.pageTitle')}
      explanation={isChunk ? t('errors.chunk') : t('errors.page', { plugin: state ? t(state.title) : pluginId })}
      details={detailsOf(error, pluginId)}
      actions={[{ label: t('errors.retry'), onAction: onRetry }]}
    />
  );
}

function detailsOf(error: unknown, pluginId: string): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [`plugin: ${pluginId}`, `url: ${window.location.pathname}`, `time: ${new Date().toISOString()}`, stack].join('\n');
}
