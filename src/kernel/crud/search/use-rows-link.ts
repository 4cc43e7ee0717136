import type { FigureRows } from '#shared/figures';
import { listAddress } from '#shared/list-address';
import type { MenuItem } from '#shared/menus';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { MenuTree } from '../../platform/menu/menu.ts';

/** Returns a function that links to the records of a list; its result is undefined for users without their page. */
export function useRowsLink(): (rows: FigureRows | undefined) => string | undefined {
  const menu = useService(MenuTree);
  const state = useStream(menu.state$, menu.state);
  const items = 'items' in state ? state.items : [];
  return (rows) => {
    const path = rows && pathOf(rows.menu, items);
    return path && listAddress(`${path}/index`, rows);
  };
}

function pathOf(code: string, items: readonly MenuItem[]): string | undefined {
  for (const item of items) {
    const path = item.code === code ? item.path.replace(/\/+$/, '') : pathOf(code, item.children ?? []);
    if (path) return path;
  }
  return undefined;
}
