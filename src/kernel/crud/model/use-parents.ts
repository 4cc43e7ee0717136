import { useEffect } from 'react';
import { isEmpty } from '#shared/text';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { Http } from '../../platform/http/http.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { usePageStore } from '../../ui/pane/use-page-store.ts';
import type { CrudPageProps, Row } from './crud-screen.ts';
import type { CrudStore } from './crud-store.ts';
import { formatValue, type ScreenField } from './entity-fields.ts';
import { ParentTrees } from './parent-trees.ts';

/** Formats one field of a row as text. */
export type FormatField = (field: ScreenField, row: Row) => string;

interface Parents {
  readonly trees: ParentTrees;
  /** Formats a parent as its title and other fields by their widget; an id is never shown. */
  readonly format: FormatField;
}

/** Loads the parents of a screen's rows: those that are columns at once, the others with the first form or view. */
export function useParents(store: CrudStore, columns: readonly ScreenField[], parents: CrudPageProps['parents'] = {}): Parents {
  const http = useService(Http);
  const t = useTranslation();
  const trees = usePageStore(() => new ParentTrees(http));
  const treeState = useStore(trees, (state) => state);

  useEffect(() => {
    const following = store.removed$.subscribe(({ success }) => success && trees.reload());
    return () => following.unsubscribe();
  }, [store, trees]);

  useEffect(() => {
    for (const { name } of columns) if (parents[name]) trees.load(name, parents[name]);
  });

  const format: FormatField = (field, row) => {
    const value = row[field.name];
    if (field.traits.widget !== 'parent') return formatValue(field, value, t);
    const named = row[field.name.replace(/Id$/, 'Name')];
    if (typeof named === 'string' && !isEmpty(named)) return named;
    const isRoot = value === '0' && parents[field.name]?.root !== false;
    return treeState[field.name]?.titles[String(value)] ?? (isRoot ? t('crud.root') : '');
  };
  return { trees, format };
}
