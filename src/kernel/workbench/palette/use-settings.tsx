import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useStream } from '../../base/react/use-stream.ts';
import { Locale } from '../../platform/i18n/locale.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { appearances, densities, Theme } from '../../platform/theme/theme.ts';
import { type ThemeId, themes } from '../../platform/theme/themes.ts';
import { Icon, type IconName } from '../../ui/primitives/Icon.tsx';
import { layouts, Preferences } from '../state/preferences.ts';
import type { PaletteEntry, PaletteGroup } from './sections.ts';

const languages = ['zh', 'en'] as const;

/** Returns the settings of appearance and language, one entry for each option. */
export function useSettings(): PaletteGroup {
  const t = useTranslation();
  const entries = [...useLanguages(), ...useAppearances(), ...useArrangements(), ...useThemes()];
  return { key: 'settings', title: t('palette.settings'), entries };
}

const smallIcon = (name: IconName) => <Icon name={name} size={16} />;

function useLanguages(): PaletteEntry[] {
  const t = useTranslation();
  const locale = useService(Locale);
  const language = useStream(locale.language$, locale.language);
  return languages.map((key) => ({
    key: `language:${key}`,
    title: t('palette.languageOf', { name: t(`shell.${key}`) }),
    icon: smallIcon('globe'),
    isOn: key === language,
    onSelect: () => locale.setLanguage(key),
  }));
}

function useAppearances(): PaletteEntry[] {
  const t = useTranslation();
  const theme = useService(Theme);
  const appearance = useStream(theme.appearance$, theme.appearance);
  return appearances.map((key) => ({
    key: `appearance:${key}`,
    title: t('palette.appearanceOf', { name: t(`shell.${key}`) }),
    icon: smallIcon(key),
    isOn: key === appearance,
    onSelect: () => theme.select(key),
  }));
}

function useArrangements(): PaletteEntry[] {
  const t = useTranslation();
  const preferences = useService(Preferences);
  const { layout, tagBar } = useStore(preferences, (state) => state);
  const theme = useService(Theme);
  const { density } = useStream(theme.settings$, theme.settings);
  return [
    {
      key: 'tagBar',
      title: t(tagBar ? 'palette.hideTagBar' : 'shell.showTagBar'),
      icon: smallIcon('tags'),
      onSelect: () => preferences.change({ tagBar: !tagBar }),
    },
    ...layouts.map((key) => ({
      key: `layout:${key}`,
      title: t('palette.layoutOf', { name: t(`palette.${key}`) }),
      icon: smallIcon('console'),
      isOn: key === layout,
      onSelect: () => preferences.change({ layout: key }),
    })),
    ...densities.map((key) => ({
      key: `density:${key}`,
      title: t('palette.densityOf', { name: t(`palette.${key}`) }),
      icon: smallIcon('menu'),
      isOn: key === density,
      onSelect: () => void theme.change({ density: key }),
    })),
  ];
}

function useThemes(): PaletteEntry[] {
  const t = useTranslation();
  const theme = useService(Theme);
  const settings = useStream(theme.settings$, theme.settings);
  return Object.entries(themes).map(([id, { title }]) => ({
    key: id,
    title: t('palette.themeOf', { name: t(title) }),
    aliases: title,
    icon: smallIcon('light'),
    isOn: id === settings.theme,
    onSelect: () => void theme.change({ theme: id as ThemeId }),
  }));
}
