import { useNavigate } from 'react-router-dom';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { MenuIcon } from '../../ui/menus/MenuIcon.tsx';
import { useMenuTitles } from '../routes/route-table.tsx';
import type { PaletteGroup } from './entry.ts';
import { type Section, sectionsOf, withoutRepeats } from './sections.ts';
import { useActions } from './use-actions.tsx';
import { useNavigationTargets } from './use-navigation-targets.tsx';
import { useRecords } from './use-records.ts';
import { useSettings } from './use-settings.tsx';

/** Entries that match the typed text, and the state of the search for records. */
export interface PaletteSections {
  readonly sections: readonly Section[];
  readonly isSearching: boolean;
  /** Titles of the record searches that failed. */
  readonly failed: readonly string[];
}

/** Returns the entries of the palette. Without text the recently visited pages come first. */
export function usePaletteSections(typed: string): PaletteSections {
  const { recent, tabs, pages } = useNavigationTargets();
  const actions = useActions();
  const settings = useSettings();
  const { groups, isSearching, failed } = useRecordGroups(typed);
  const places = typed.trim() === '' ? [recent, tabs, pages] : [tabs, pages];
  return { sections: sectionsOf([...withoutRepeats(places), actions, settings, ...groups], typed), isSearching, failed };
}

function useRecordGroups(typed: string) {
  const t = useTranslation();
  const navigate = useNavigate();
  const titleOf = useMenuTitles();
  const { answers, isSearching } = useRecords(typed);
  const nameOf = ({ search: { menu } }: (typeof answers)[number]) => t(titleOf({ code: menu.code, name: menu.title[0] }));
  const groups = answers.map(
    (answer): PaletteGroup => ({
      key: `records:${answer.search.menu.code}`,
      title: nameOf(answer),
      isFound: true,
      entries: (answer.found ?? []).map(({ key, title, detail, location }) => ({
        key: `record:${answer.search.menu.code}:${key}`,
        title,
        detail,
        icon: <MenuIcon name={answer.search.menu.icon ?? ''} />,
        location,
        choose: () => navigate(location),
      })),
    }),
  );
  const failed = answers.filter(({ hasFailed }) => hasFailed).map(nameOf);
  return { groups, isSearching, failed };
}
