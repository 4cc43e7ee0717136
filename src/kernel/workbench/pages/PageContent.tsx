import { memo, Suspense, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { explainPage } from '#shared/menu-groups';
import type { MenuItem } from '#shared/menus';
import { instanceKey } from '../../base/container/services.ts';
import { useService } from '../../base/react/services.tsx';
import { PluginHost } from '../../host/plugin-host/plugin-host.ts';
import type { RegisteredPage } from '../../host/plugin-host/registered-pages.ts';
import { openAddress } from '../../platform/browser/open-address.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { MenuTree } from '../../platform/menu/menu.ts';
import { useCan } from '../../platform/permission/use-can.tsx';
import { ErrorPage } from '../../ui/errors/ErrorPage.tsx';
import { PageBoundary } from '../../ui/errors/PageBoundary.tsx';
import { ProblemView } from '../../ui/errors/ProblemView.tsx';
import { isChunkLoadError, lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { PageSkeleton } from '../../ui/loading/PageSkeleton.tsx';
import { useLoadedComponent } from '../../ui/loading/use-loaded-component.ts';
import { Home } from '../home/Home.tsx';
import { embeddedAddress } from '../routes/menu-address.ts';
import { Progress } from '../routes/progress.ts';
import { useMenuTitles, useResolvedRoute, useRouteTable } from '../routes/route-table.tsx';
import { PaneProvider } from '../tabs/PaneProvider.tsx';
import { Tabs } from '../tabs/tabs.ts';
import styles from './FramePage.module.css';

const LogsPage = lazyComponent(() => import('../logs/LogsPage.tsx'));
const UnavailablePage = lazyComponent(() => import('./UnavailablePage.tsx'));

/** Renders the page at the surrounding router's location: the tab's own in a tab, the window's elsewhere. */
export function PageContent() {
  const { pathname, search } = useLocation();
  const route = useResolvedRoute(pathname + search);
  switch (route.kind) {
    case 'waiting':
      return <PageSkeleton />;
    case 'redirect':
      return null;
    case 'page':
      return <PluginPage key={`${instanceKey(route.page.services)} ${route.page.menu.code}`} page={route.page} />;
    default:
  }
  return (
    <>
      <FinishProgress />
      <Suspense fallback={<PageSkeleton />}>
        {route.kind === 'home' && <Home />}
        {route.kind === 'logs' && <LogsPage />}
        {route.kind === 'frame' && <FramePage item={route.item} />}
        {route.kind === 'unavailable' && <UnavailablePage item={route.item} />}
        {route.kind === 'menuFailed' && <MenuFailure message={route.message} />}
        {route.kind === 'problem' && <ProblemPage status={route.status} />}
      </Suspense>
    </>
  );
}

/** Renders a plugin's page with the plugin's services; a failure stays within it and is reported to the host. Changing tabs does not render it again. */
const PluginPage = memo(function PluginPage({ page }: { readonly page: RegisteredPage }) {
  const host = useService(PluginHost);
  return (
    <PaneProvider services={page.services}>
      <PageBoundary
        onError={(error) => host.pageFailed(page.pluginId, error)}
        fallback={(error, retry) => (
          <>
            <FinishProgress />
            <PageFailure error={error} pluginId={page.pluginId} onRetry={retry} />
          </>
        )}
      >
        <LoadedPage page={page} />
      </PageBoundary>
    </PaneProvider>
  );
});

function LoadedPage({ page }: { readonly page: RegisteredPage }) {
  const Page = useLoadedComponent(page.load);
  if (!Page) return <PageSkeleton />;
  return (
    <Suspense fallback={<PageSkeleton />}>
      <FinishProgress />
      <Page />
      <ReportRendered pluginId={page.pluginId} />
    </Suspense>
  );
}

/** Reports to the host that a page of a plugin has rendered. */
function ReportRendered({ pluginId }: { readonly pluginId: string }) {
  const host = useService(PluginHost);
  useEffect(() => host.pageRendered(pluginId), [host, pluginId]);
  return null;
}

/** Ends the progress bar when a page is first shown and when a hidden one is shown again. */
function FinishProgress() {
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
  const isChunk = isChunkLoadError(error);
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

/** Renders an error page within the console; users with the permission can ask why they lack a page. */
function ProblemPage({ status }: { readonly status: 403 | 404 | 500 }) {
  const t = useTranslation();
  const navigate = useNavigate();
  const tabs = useService(Tabs);
  const { state } = useLocation();
  const mayExplain = useCan(explainPage.code) && status === 403 && state?.from;
  const explain = () => tabs.open({ location: `${explainPage.path}/index?about=${encodeURIComponent(state.from)}` });
  return <ErrorPage status={status} onLeave={() => navigate('/')} extraActions={mayExplain ? [{ label: t('errors.explain'), onAction: explain }] : []} />;
}

/** Embeds an external page of the user's menu where the deployment allows its origin; no session data is passed. */
function FramePage({ item }: { readonly item: MenuItem }) {
  const title = useTranslation()(useMenuTitles()(item));
  const { frames = [] } = useRouteTable();
  const address = embeddedAddress(item);
  if (!canEmbed(address, frames)) return <RefusedFrame address={address} title={title} />;
  const isForeign = new URL(address).origin !== window.location.origin;
  // A page of our own origin with both permissions could remove the sandbox.
  const sandbox = `allow-forms allow-scripts allow-popups allow-downloads${isForeign ? ' allow-same-origin' : ''}`;
  return <iframe className={styles.frame} src={address} title={title} sandbox={sandbox} referrerPolicy="no-referrer" />;
}

/** Opens the page in a new window at once and explains why it is not embedded and which setting allows it. */
function RefusedFrame({ address, title }: { readonly address: string; readonly title: string }) {
  const t = useTranslation();
  useEffect(() => {
    // A tab restored by a reload opens nothing: browsers block windows that open without a click or a key.
    if ((navigator.userActivation as UserActivation | undefined)?.isActive !== false) openAddress(address);
  }, [address]);
  return (
    <ProblemView
      title={t('navigation.refusedTitle', { title })}
      explanation={t('navigation.refused', { origin: new URL(address).origin })}
      actions={[{ label: t('navigation.openWindow'), onAction: () => openAddress(address) }]}
    />
  );
}

/** Tells whether a page may be embedded: one of our own origin, or of an origin the deployment lists in Content-Security-Policy syntax. */
export function canEmbed(address: string, frames: readonly string[]): boolean {
  const { origin } = new URL(address);
  return origin === window.location.origin || frames.some((pattern) => patternOf(pattern).test(origin));
}

/** `*.` stands for one or more labels, `:*` for any port. */
function patternOf(source: string): RegExp {
  const [plain = '', anyPort = ''] = /^(.*?)(:\*)?$/.exec(source.toLowerCase())?.slice(1) ?? [];
  const escaped = plain.replace(/[.\\+?^$|()[\]{}]/g, '\\$&').replace('*', '[\\w.-]+');
  return new RegExp(`^${escaped}${anyPort && '(:\\d+)?'}$`);
}
