import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { type ResolvedRoute, resolve } from './resolve.ts';
import { useMenuTitles, useRouteTable } from './route-table.tsx';

/** Returns a function that gives the title of a route in the current language; empty while it is unknown. */
export function useRouteTitle(): (route: ResolvedRoute) => string {
  const t = useTranslation();
  const titleOf = useMenuTitles();
  return (route) => {
    switch (route.kind) {
      case 'home':
        return t(route.isTab ? 'shell.home' : 'shell.console');
      case 'logs':
        return t('logs.title');
      case 'problem':
        return t(({ 403: 'errors.forbiddenTitle', 404: 'errors.notFoundTitle', 500: 'errors.brokenTitle' } as const)[route.status]);
      case 'page':
        return t(route.item ? titleOf(route.item) : route.page.menu.title);
      case 'unavailable':
      case 'frame':
        return t(titleOf(route.item));
      case 'menuFailed':
        return t('errors.menuFailedTitle');
      default:
        return '';
    }
  };
}

/** Returns a function that gives the title of a location; empty while it is unknown. */
export function useLocationTitle(): (location: string) => string {
  const routeTable = useRouteTable();
  const titleOf = useRouteTitle();
  return (location) => titleOf(resolve(location, routeTable));
}
