import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { Locale } from '../../platform/i18n/locale.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Theme } from '../../platform/theme/theme.ts';
import { useIsDark } from '../../platform/theme/use-is-dark.ts';
import { MenuButton, type MenuChoice } from '../../ui/menus/MenuButton.tsx';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { PaletteView } from '../palette/palette-view.ts';

const languages = ['zh', 'en'] as const;
const appearances = ['light', 'dark', 'system'] as const;

/** Selects the language; each is listed by its own name. */
export function LanguageMenu() {
  const t = useTranslation();
  const locale = useService(Locale);
  const language = useStream(locale.language$, locale.language);
  const choices = languages.map((key) => ({ key, label: t(`shell.${key}`), isChosen: key === language, onChoose: () => locale.setLanguage(key) }));
  return (
    <MenuButton label={t('shell.language')} choices={choices}>
      <Icon name="globe" />
    </MenuButton>
  );
}

/** Selects light, dark or the system's setting; the last entry opens all other appearance settings. */
export function AppearanceMenu() {
  const t = useTranslation();
  const theme = useService(Theme);
  const appearance = useStream(theme.appearance$, theme.appearance);
  const isDark = useIsDark();
  const view = useService(PaletteView);
  const choices: MenuChoice[] = [
    ...appearances.map((key) => ({ key, label: t(`shell.${key}`), icon: key, isChosen: key === appearance, onChoose: () => theme.choose(key) })),
    { key: 'settings', label: t('settings.more'), icon: 'palette', onChoose: () => view.show('settings') },
  ];
  return (
    <MenuButton label={t('shell.appearance')} choices={choices}>
      <Icon name={isDark ? 'dark' : 'light'} />
    </MenuButton>
  );
}
