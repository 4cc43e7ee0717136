import { useEffect, useRef } from 'react';
import { useService } from '../../base/react/services.tsx';
import { UserPreferences, usePreference } from '../../platform/preferences/user-preferences.ts';
import type { CrudCalls } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { hasFilters } from '../model/list-query.ts';
import type { ColumnSetting } from '../model/table-settings.ts';
import { fromShared, supportedView, type View, type Views, viewsKey, viewsVersion } from './views.ts';

/** Returns the views this user has saved for a table, a function that changes them, and one that reads them later than this render. */
export function useViews(crud: CrudCalls): readonly [Views, (views: Views) => void, () => Views] {
  const preferences = useService(UserPreferences);
  const [saved, setSaved] = usePreference<Views>(viewsKey(crud), viewsVersion);
  return [saved ?? noViews, setSaved, () => preferences.read<Views>(viewsKey(crud), viewsVersion) ?? noViews];
}

const noViews: Views = { views: [] };

const defaultViewOf = ({ views, standard, follows, followed }: Views): View | undefined =>
  follows ? followed && fromShared({ view: followed }) : views.find(({ name }) => name === standard);

/** Returns the default view of this user as far as it is known, reduced to what the table supports. */
export function useDefaultView(crud: CrudCalls): () => View | undefined {
  const preferences = useService(UserPreferences);
  return () => {
    const stored = preferences.read<Views>(viewsKey(crud), viewsVersion);
    const standard = stored && defaultViewOf(stored);
    return standard && supportedView(crud, standard);
  };
}

/** Applies the default view when the preferences arrive after the page has rendered, unless the operator has changed the query by then. */
export function useLateView(crud: CrudCalls, store: CrudStore, hasView: boolean, onColumns: (columns: readonly ColumnSetting[]) => void): void {
  const [views] = useViews(crud);
  const standard = defaultViewOf(views);
  const hasBegun = useRef(hasView);
  const isFirst = useRef(true);
  useEffect(() => {
    // Views that existed from the start are not late, and a default chosen on this page applies to the next visit.
    if (isFirst.current) {
      isFirst.current = false;
      hasBegun.current ||= views.views.length > 0 || views.follows !== undefined;
      return;
    }
    const { query } = store.state;
    if (!standard || hasBegun.current || hasFilters(query) || query.sort) return;
    hasBegun.current = true;
    const { columns, ...rest } = supportedView(crud, standard);
    onColumns(columns);
    store.setQuery(rest, 'replace');
  }, [crud, store, standard, views, onColumns]);
}
