import { useEffect } from 'react';
import { withoutBase } from '../../platform/browser/base-path.ts';
import { loadComponent } from '../../ui/loading/use-loaded-component.ts';
import { resolve } from './resolve.ts';
import { useRouteTable } from './route-table.tsx';

const idleMs = 1500;

/** Loads code before it is needed: that of a page as soon as a link to it is under the pointer or focused, that of lists when nothing has been fetched for a while. */
export function Preloader() {
  const routeTable = useRouteTable();

  useEffect(() => {
    const load = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : undefined;
      if (link?.origin !== window.location.origin || link.target) return;
      const route = resolve(withoutBase(link.pathname) + link.search, routeTable);
      if (route.kind === 'page') void loadComponent(route.page.load).catch(ignore);
    };
    const events = ['pointerover', 'focusin'] as const;
    for (const event of events) document.addEventListener(event, load, { passive: true });
    return () => {
      for (const event of events) document.removeEventListener(event, load);
    };
  }, [routeTable]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        fetched.disconnect();
        // A list that is open has loaded the code of lists.
        if (!document.querySelector('.crud')) void import('../../crud/page/CrudPage.tsx').catch(ignore);
      }, idleMs);
    };
    const fetched = new PerformanceObserver(wait);
    fetched.observe({ type: 'resource' });
    wait();
    return () => {
      clearTimeout(timer);
      fetched.disconnect();
    };
  }, []);

  return null;
}

/** A file that failed to load is loaded again, and reported, when the page opens. */
const ignore = () => undefined;
