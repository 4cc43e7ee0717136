import type { ReactNode } from 'react';
import { codes } from '#shared/contract';
import { useGrants } from '../../platform/permission/use-can.tsx';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import type { CrudPageProps } from '../model/crud-screen.ts';
import type { RowRemoval } from './use-removal.ts';

const InUseDialog = lazyComponent(() => import('./InUseDialog.tsx'));
const LeftRowsPanel = lazyComponent(() => import('./LeftRowsPanel.tsx'));

interface RemovalDialogsProps extends Omit<CrudPageProps, 'filter' | 'actions'> {
  readonly removal: RowRemoval;
  readonly archive: (ids: readonly string[]) => Promise<void>;
  /** Opened panel of rows that have left the list, if it is one of these. */
  readonly left: string | undefined;
  /** Renders the list inside the panel. */
  readonly list: (props: CrudPageProps) => ReactNode;
  readonly container: () => Element;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Shows why rows cannot be deleted, and the rows that have been archived or deleted. */
export function RemovalDialogs({ removal: { refused, dismiss }, archive, left, list, container, onChanged, onClose, ...screen }: RemovalDialogsProps) {
  const may = useGrants();
  const mayArchive = screen.crud.archive !== undefined && may(codes(screen.crud.menu).delete);
  const archiveInstead = () => {
    dismiss();
    if (refused) void archive(refused.ids);
  };
  return (
    <>
      {refused && <InUseDialog refused={refused} container={container} onArchive={mayArchive ? archiveInstead : undefined} onClose={dismiss} />}
      {(left === 'archived' || left === 'recycled') && <LeftRowsPanel {...screen} which={left} list={list} onChanged={onChanged} onClose={onClose} />}
    </>
  );
}
