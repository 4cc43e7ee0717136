import { Button } from '@arco-design/web-react';
import { IconDelete, IconEdit, IconPlus, IconRefresh } from '@arco-design/web-react/icon';
import type { ReactNode } from 'react';
import { codes } from '#shared/contract';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import type { CrudCalls, CrudScreen, RowAction, ToolbarAction } from '../model/crud-screen.ts';
import { selectableCount } from '../model/crud-state.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { maxSelection } from '../model/selection.ts';

interface ToolbarProps {
  readonly store: CrudStore;
  readonly screen: CrudScreen;
  readonly crud: CrudCalls;
  readonly actions: readonly ToolbarAction[];
  /** Rows that may be deleted; all by default. */
  readonly removable: RowAction['when'];
  readonly onRemove: (ids: readonly string[]) => void;
  readonly onBulkEdit: () => void;
  /** Further actions on the table as a whole. */
  readonly extra?: ReactNode;
  /** Tools of the table, such as its settings. */
  readonly children: ReactNode;
}

const everyRow = () => true;

/** Renders the actions on the table as a whole and the number of selected rows. */
export function Toolbar({ store, screen, crud, actions, removable, onRemove, onBulkEdit, extra, children }: ToolbarProps) {
  const t = useTranslation();
  const may = useGrants();
  const toasts = useService(Toasts);
  const selected = useStore(store, (state) => state.selected);
  const dropped = useStore(store, (state) => state.dropped);
  const beyond = useStore(store, selectableCount);
  const isRemoving = useStore(store, (state) => state.removing);
  const permitted = codes(crud.menu);
  // Rows an action has processed are no longer selected.
  const acting: CrudScreen = {
    ...screen,
    reload: () => {
      store.clearSelection();
      screen.reload();
    },
  };
  const act = (action: string, { when, onClick }: Pick<ToolbarAction, 'when' | 'onClick'>) => {
    const selectedRows = [...selected.values()];
    const fit = when ? selectedRows.filter(when) : selectedRows;
    const left = selectedRows.length - fit.length;
    if (when && selectedRows.length === 0) return toasts.warning(t('crud.chooseFirst'));
    if (left > 0 && fit.length === 0) return toasts.warning(t('crud.noneFits', { action }));
    if (left > 0) toasts.info(t('crud.someFit', { action, count: left }));
    onClick(
      fit.map(({ id }) => id),
      acting,
    );
  };
  return (
    <div className="crud-toolbar">
      {crud.submit && may(permitted.add) && (
        <Button type="primary" icon={<IconPlus />} onClick={() => screen.add()}>
          {t('crud.add')}
        </Button>
      )}
      {crud.remove && may(permitted.delete) && (
        <Button
          status="danger"
          icon={<IconDelete />}
          loading={isRemoving}
          onClick={() => act(t('crud.remove'), { when: removable ?? everyRow, onClick: onRemove })}
        >
          {t('crud.batchRemove')}
        </Button>
      )}
      {crud.bulkSubmit && may(permitted.edit) && selected.size > 0 && (
        <Button icon={<IconEdit />} onClick={onBulkEdit}>
          {t('table.bulkEdit')}
        </Button>
      )}
      {actions.map(
        (action) =>
          may(action.code) && (
            <Button key={action.title[0]} onClick={() => act(t(action.title), action)}>
              {t(action.title)}
            </Button>
          ),
      )}
      <span className="crud-toolbar__extra">{extra}</span>
      <span className="crud-toolbar__selection">
        <span role="status">
          {selected.size > 0 && t('crud.selected', { count: selected.size })}
          {dropped > 0 && <span className="crud-toolbar__dropped">{t('crud.dropped', { count: dropped })}</span>}
        </span>
        {beyond > 0 && (
          <Button type="text" size="mini" onClick={() => void store.selectAll()}>
            {t(beyond < maxSelection ? 'crud.selectAllPages' : 'crud.selectFirst', { count: beyond })}
          </Button>
        )}
        {selected.size > 0 && (
          <Button type="text" size="mini" onClick={() => store.clearSelection()}>
            {t('crud.clearSelection')}
          </Button>
        )}
      </span>
      <span className="crud-toolbar__tools">
        <Button icon={<IconRefresh />} aria-label={t('crud.reload')} title={t('crud.reload')} onClick={() => screen.reload()} />
        {children}
      </span>
    </div>
  );
}
