import { ContributionBoundary } from '../../ui/slots/ContributionBoundary.tsx';
import { useSlot } from '../../ui/slots/use-slot.ts';
import type { CrudPageProps } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import { listInput } from '../model/list-query.ts';
import { shownColumns, type TableSettings } from '../model/table-settings.ts';
import { type ListSnapshot, ListToolbarItems, type ListToolbarProps } from './screen-additions.ts';

interface ToolbarItemsProps extends Omit<ListToolbarProps, 'readList'> {
  readonly store: CrudStore;
  readonly fields: readonly ScreenField[];
  readonly settings: TableSettings;
  readonly filter: CrudPageProps['filter'];
}

/** Shows what plugins add to the toolbars of all lists. */
export function ToolbarItems({ store, fields, settings, filter = {}, ...props }: ToolbarItemsProps) {
  const readList = (): ListSnapshot => {
    const { selected, query } = store.state;
    const { current: _current, size: _size, ...asked } = listInput(props.crud, query);
    const shown = shownColumns(settings).map(({ name }) => name);
    const names = [...new Set([...shown, ...fields.map(({ name }) => name)])];
    const columns = names.map((name) => ({
      name,
      title: fields.find((field) => field.name === name)?.traits.title ?? ([name, name] as const),
      isShown: shown.includes(name),
    }));
    return { query: asked, filter, selected: [...selected.keys()], columns };
  };
  return useSlot(ListToolbarItems).map((added) => (
    <ContributionBoundary key={added.key} owner={added}>
      <added.part.Item {...props} readList={readList} />
    </ContributionBoundary>
  ));
}
