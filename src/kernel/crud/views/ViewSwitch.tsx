import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { MenuButton } from '../../ui/menus/MenuButton.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import type { CrudCalls } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import type { ScreenField } from '../model/entity-fields.ts';
import { layoutsOf } from '../model/list-layouts.ts';
import { switchMessages } from './switch-messages.ts';

interface ViewSwitchProps {
  readonly store: CrudStore;
  readonly crud: CrudCalls;
  /** Filters of the list, in its order. */
  readonly fields: readonly ScreenField[];
}

/** Switches a list between the table and the boards, calendars and groups that its contract allows; renders nothing where there is only the table. */
export function ViewSwitch({ store, crud, fields }: ViewSwitchProps) {
  const t = useTranslation();
  const current = useStore(store, (state) => state.query.layout);
  const layouts = layoutsOf(crud, fields);
  if (layouts.length === 0) return null;
  const titleOf = (name: string) => t(fields.find((field) => field.name === name)?.traits.title ?? [name, name]);
  const choices = [
    { key: 'table', label: t(switchMessages.table), isSelected: !current, onSelect: () => store.setLayout(undefined) },
    ...layouts.map((layout, index) => ({
      key: `${layout.kind}.${layout.field}`,
      label: t(switchMessages[layout.kind], { title: titleOf(layout.field) }),
      isSelected: layout.kind === current?.kind && layout.field === current.field,
      startsGroup: layouts[index - 1]?.kind !== layout.kind,
      onSelect: () => store.setLayout(layout),
    })),
  ];
  const chosen = choices.find(({ isSelected }) => isSelected)?.label ?? t(switchMessages.table);
  return (
    <MenuButton label={`${t(switchMessages.label)} · ${chosen}`} choices={choices}>
      <span className="crud-search__switch">{chosen}</span>
      <Icon name="chevronDown" size={14} />
    </MenuButton>
  );
}
