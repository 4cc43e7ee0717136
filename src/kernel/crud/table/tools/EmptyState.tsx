import { Button } from '@arco-design/web-react';
import { codes } from '#shared/contract';
import type { LocalizedText } from '#shared/text';
import { useStore } from '../../../base/react/use-store.ts';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { useGrants } from '../../../platform/permission/use-can.tsx';
import { Illustration } from '../../../ui/errors/Illustration.tsx';
import type { CrudCalls, CrudPageProps } from '../../model/crud-screen.ts';
import type { CrudStore } from '../../model/crud-store.ts';
import { hasFilters } from '../../model/list-query.ts';

interface EmptyStateProps {
  readonly store: CrudStore;
  readonly crud: CrudCalls;
  readonly noun?: LocalizedText | undefined;
  readonly texts?: CrudPageProps['empty'];
  /** Opens the form of a new row; without it no button is shown. */
  readonly onAdd?: () => void;
}

/** Replaces an empty table: failed, not permitted, no results or no rows at all, each with the next action. */
export function EmptyState({ store, crud, noun, texts, onAdd }: EmptyStateProps) {
  const t = useTranslation();
  const may = useGrants();
  const status = useStore(store, (state) => state.status);
  const isFiltered = useStore(store, (state) => hasFilters(state.query));
  if (status === 'failed') return <Failure store={store} />;
  const mayAdd = onAdd !== undefined && crud.submit !== undefined && may(codes(crud.menu).add);
  return (
    <div className="crud-vacancy">
      <Illustration scene={isFiltered ? 'search' : 'empty'} />
      <p className="crud-vacancy__title">
        {isFiltered ? t('crud.noMatchTitle') : texts ? t(texts.title) : noun ? t('crud.emptyOf', { noun: t(noun) }) : t('crud.emptyTitle')}
      </p>
      {(isFiltered || mayAdd || texts?.hint) && <p>{t(isFiltered ? 'crud.noMatchHint' : (texts?.hint ?? 'crud.emptyHint'))}</p>}
      {isFiltered && <Button onClick={() => store.clearFilters()}>{t('crud.clearFilters')}</Button>}
      {!isFiltered && mayAdd && <Button onClick={() => onAdd()}>{t('crud.add')}</Button>}
    </div>
  );
}

/** Shows the error of the list with a retry button; above old rows it says that they are outdated. */
export function Failure({ store }: { readonly store: CrudStore }) {
  const t = useTranslation();
  const failure = useStore(store, (state) => state.failure);
  const hasRows = useStore(store, (state) => state.rows.length > 0);
  const isForbidden = useStore(store, (state) => state.isForbidden);
  return (
    <div className={hasRows ? 'crud-failure' : 'crud-vacancy'} role="alert">
      {!hasRows && <Illustration scene={isForbidden ? 'forbidden' : 'offline'} />}
      <p className="crud-vacancy__title">{t(isForbidden ? 'crud.forbiddenTitle' : 'crud.failed')}</p>
      <p>
        {isForbidden
          ? t('crud.forbiddenHint')
          : [typeof failure === 'string' ? failure : t(failure), hasRows ? t('crud.stale') : ''].filter(Boolean).join(' · ')}
      </p>
      <Button size={hasRows ? 'small' : 'default'} onClick={() => store.reload()}>
        {t('crud.retry')}
      </Button>
    </div>
  );
}
