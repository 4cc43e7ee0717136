import { useNavigate } from 'react-router-dom';
import { codes, type Menu } from '#shared/contract';
import { listAddress } from '#shared/list-address';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { RequestedAction } from '../../crud/model/requested-action.ts';
import { PluginHost } from '../../host/plugin-host/plugin-host.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import { MenuIcon } from '../../ui/menus/MenuIcon.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { useMenuTitles } from '../routes/route-table.tsx';
import { type RecentRecord, RecentRecords } from '../state/recent-records.ts';
import type { PaletteEntry, PaletteGroup } from './sections.ts';
import { type RecordSearch, useRecords } from './use-records.ts';

/** A record with the actions that the user may use on it. */
interface ListedRecord extends RecentRecord {
  readonly actions: readonly string[];
}

/** Returns the records that match the text, by the page that lists them; without text those that were opened last. */
export function useRecordGroups(query: string): Omit<RecordSearch, 'groups'> & { readonly groups: readonly PaletteGroup[] } {
  const t = useTranslation();
  const may = useGrants();
  const host = useService(PluginHost);
  const titleOf = useMenuTitles();
  const entryOf = useRecordEntry();
  const recent = useStore(useService(RecentRecords), (state) => state.records);
  const { groups: found, ...state } = useRecords(query);
  const pageOf = (code: string) => host.registeredPages.byCode.get(code)?.menu;
  const listed = found.flatMap(({ entity, menu, records, hasMore }): PaletteGroup[] => {
    const page = pageOf(menu);
    if (!page) return [];
    const entries = records.map((record) => entryOf(page, { ...record, entity, menu }));
    const note = hasMore ? t('palette.more', { count: records.length }) : undefined;
    return [{ key: `records:${entity}:${menu}`, title: t(titleOf({ code: menu, name: page.title[0] })), isFound: true, entries, note }];
  });
  const visited = recent.flatMap((record) => {
    const page = may(record.menu) ? pageOf(record.menu) : undefined;
    return page ? [entryOf(page, { ...record, actions: [] })] : [];
  });
  return { ...state, groups: query === '' ? [{ key: 'recentRecords', title: t('palette.recentRecords'), entries: visited }] : listed };
}

/** Returns a function that describes a record as a line of the palette. */
function useRecordEntry(): (page: Menu, record: ListedRecord) => PaletteEntry {
  const t = useTranslation();
  const navigate = useNavigate();
  const recent = useService(RecentRecords);
  const requested = useService(RequestedAction);
  return (page, record) => {
    const path = `${page.path}/index`;
    const { id, menu, entity } = record;
    const linkTo = (location: string) => ({
      location,
      onSelect: () => {
        recent.visit(record);
        navigate(location);
      },
    });
    const key = `record:${entity}:${menu}:${id}`;
    const link = linkTo(listAddress(path, { record: id }));
    const open: PaletteEntry = { key: `${key}:open`, title: t('palette.openRecord'), icon: <Icon name="eye" size={16} />, ...link };
    const actionOf = (code: string): PaletteEntry[] => {
      const icon = <MenuIcon name={page.icon ?? ''} />;
      if (code === codes(menu).edit)
        return [{ key: `${key}:${code}`, title: t('crud.edit'), icon, ...linkTo(listAddress(path, { record: id, mode: 'edit' })) }];
      const button = page.buttons?.find((candidate) => typeof candidate === 'object' && candidate.code === code);
      if (typeof button !== 'object') return [];
      const onSelect = () => {
        recent.visit(record);
        requested.ask({ menu, entity, id, code });
        navigate(path);
      };
      return [{ key: `${key}:${code}`, title: t(button.title), icon, onSelect }];
    };
    return {
      key,
      title: record.title,
      detail: record.subtitle,
      icon: <MenuIcon name={page.icon ?? ''} />,
      actions: [open, ...record.actions.flatMap(actionOf)],
      ...link,
    };
  };
}
