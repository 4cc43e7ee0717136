import { Suspense } from 'react';
import type { ListLayout } from '#shared/list-address';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import type { CrudPageProps } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import type { FormatField } from '../model/parent-trees.ts';
import type { TableSettings } from '../model/table-settings.ts';
import type { RowButton } from '../table/columns/row-actions.tsx';
import './views.css';

const Board = lazyComponent(() => import('./Board.tsx'));
const Calendar = lazyComponent(() => import('./Calendar.tsx'));
const Groups = lazyComponent(() => import('./Groups.tsx'));

/** Props of a view that replaces the table: board, calendar or groups. */
export interface LayoutProps extends Omit<CrudPageProps, 'fields'> {
  readonly store: CrudStore;
  readonly caption: string;
  readonly fields: readonly ScreenField[];
  readonly format: FormatField;
  readonly settings: TableSettings;
  readonly onSettings: (settings: TableSettings) => void;
  readonly buttons: readonly RowButton[];
  /** Field by which the view is arranged. */
  readonly by: ScreenField;
  readonly isSortable: boolean;
}

interface LayoutViewProps extends Omit<LayoutProps, 'by'> {
  readonly layout: ListLayout;
  readonly filters: readonly ScreenField[];
}

const views = { board: Board, calendar: Calendar, group: Groups } as const;

/** Shows the rows of a list as a board, a calendar or groups; the code of each is loaded when it is first shown. */
export default function LayoutView({ layout, filters, ...props }: LayoutViewProps) {
  const by = filters.find(({ name }) => name === layout.field);
  const View = views[layout.kind];
  return <Suspense>{by && <View key={by.name} {...props} by={by} />}</Suspense>;
}
