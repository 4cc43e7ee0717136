import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { ErrorPage } from '../errors/ErrorPage.tsx';
import { PageBoundary } from '../errors/PageBoundary.tsx';
import { PageFailure } from '../errors/PageFailure.tsx';
import { ProblemView } from '../errors/ProblemView.tsx';
import { useText } from '../i18n/use-words.ts';
import { MenuTree } from '../menu/menu.ts';
import type { ClaimedPage } from '../plugin-host/claimed-pages.ts';
import { PluginHost } from '../plugin-host/plugin-host.ts';
import { ServicesProvider, useService } from '../services.tsx';
import { Home } from '../shell/Home.tsx';
import { PersonalInfo } from '../shell/PersonalInfo.tsx';
import { usePlace } from './atlas.tsx';
import { FramePage } from './FramePage.tsx';
import { PageSkeleton } from './PageSkeleton.tsx';
import { Progress } from './progress.ts';
import { UnclaimedPage } from './UnclaimedPage.tsx';

/** What stands at the address around it: the tab's own in a tab, the window's elsewhere. */
export function PageContent() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const place = usePlace(pathname);
  switch (place.kind) {
    case 'waiting':
      return <PageSkeleton />;
    case 'redirect':
      return null;
    case 'page':
      return <PluginPage page={place.page} />;
    default:
  }
  return (
    <>
      <Arrived />
      {place.kind === 'home' && <Home />}
      {place.kind === 'info' && <PersonalInfo />}
      {place.kind === 'frame' && <FramePage item={place.item} />}
      {place.kind === 'unclaimed' && <UnclaimedPage item={place.item} />}
      {place.kind === 'menuFailed' && <MenuFailure message={place.message} />}
      {place.kind === 'problem' && <ErrorPage status={place.status} onLeave={() => navigate('/')} />}
    </>
  );
}

/** A plugin's page with that plugin's services; its failure stays in it and is told to the host. */
function PluginPage({ page }: { readonly page: ClaimedPage }) {
  const host = useService(PluginHost);
  const [Loaded, setLoaded] = useState(() => lazy(page.load));
  return (
    <ServicesProvider services={page.services}>
      <PageBoundary
        onError={(error) => host.report(page.pluginId, error)}
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
        </Suspense>
      </PageBoundary>
    </ServicesProvider>
  );
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
