import type { ReactNode } from 'react';
import { codes } from '#shared/contract';
import { useGrants } from '../../platform/permission/use-can.tsx';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import type { CrudPageProps, EmptyTexts } from '../model/crud-screen.ts';
import type { RowRemoval } from './use-removal.ts';

const InUseDialog = lazyComponent(() => import('./InUseDialog.tsx'));
const RemovedRowsPanel = lazyComponent(() => import('./RemovedRowsPanel.tsx'));

interface RemovalDialogsProps extends Omit<CrudPageProps, 'filter' | 'actions'> {
  readonly removal: RowRemoval;
  readonly archive: (ids: readonly string[]) => Promise<void>;
  /** Opened panel of the screen; this component renders those of archived and deleted rows. */
  readonly openedPanel: string | undefined;
  /** Renders the list inside the panel. */
  readonly renderList: (props: CrudPageProps & { readonly empty: EmptyTexts }) => ReactNode;
  readonly getContainer: () => Element;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Renders the dialog for rows that cannot be deleted, and the panels of archived and deleted rows. */
export function RemovalDialogs({
  removal: { refusal, dismiss },
  archive,
  openedPanel,
  renderList,
  getContainer,
  onChanged,
  onClose,
  ...screen
}: RemovalDialogsProps) {
  const may = useGrants();
  const mayArchive = screen.crud.archive !== undefined && may(codes(screen.crud.menu).delete);
  const archiveInstead = () => {
    dismiss();
    if (refusal) void archive(refusal.ids);
  };
  return (
    <>
      {refusal && <InUseDialog refusal={refusal} container={getContainer} onArchive={mayArchive ? archiveInstead : undefined} onClose={dismiss} />}
      {(openedPanel === 'archived' || openedPanel === 'recycled') && (
        <RemovedRowsPanel {...screen} kind={openedPanel} renderList={renderList} onChanged={onChanged} onClose={onClose} />
      )}
    </>
  );
}
