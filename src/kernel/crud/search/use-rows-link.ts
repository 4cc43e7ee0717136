import type { FigureRows } from '#shared/figures';
import type { MenuItem } from '#shared/menus';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { MenuTree } from '../../platform/menu/menu.ts';
import { linkTo } from './views.ts';

/** Returns a function that links to the records of a list; its result is undefined for users without their page. */
export function useRowsLink(): (rows: FigureRows | undefined) => string | undefined {
  const menu = useService(MenuTree);
  const state = useStream(menu.state$, menu.state);
  const items = 'items' in state ? state.items : [];
  return (rows) => {
    const path = rows && pathOf(rows.menu, items);
    if (!path) return undefined;
    const pathname = `${path}/index`;
    const { list, filters = {}, conditions = [] } = rows;
    if (!list || (Object.keys(filters).length === 0 && conditions.length === 0)) return pathname;
    const view = { filters, conditions, columns: [] };
    return linkTo({ list: { path: list } } as Parameters<typeof linkTo>[0], view, { origin: '', pathname } as Location);
  };
}

function pathOf(code: string, items: readonly MenuItem[]): string | undefined {
  for (const item of items) {
    const path = item.code === code ? item.path.replace(/\/+$/, '') : pathOf(code, item.children ?? []);
    if (path) return path;
  }
  return undefined;
}
