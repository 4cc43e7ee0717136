import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { appearances, Theme } from '../../platform/theme/theme.ts';
import { type ThemeId, themes } from '../../platform/theme/themes.ts';
import { useIsDark } from '../../platform/theme/use-is-dark.ts';
import { Choices, Section } from './Choices.tsx';
import styles from './SettingsPanel.module.css';

const ids = Object.keys(themes) as ThemeId[];

/** Selects light or dark and the theme; the gallery previews each theme with its real tokens. */
export function ThemeSection() {
  const t = useTranslation();
  const theme = useService(Theme);
  const settings = useStream(theme.settings$, theme.settings);
  const appearance = useStream(theme.appearance$, theme.appearance);
  const isDark = useIsDark();
  return (
    <Section title={t('settings.theme')}>
      <Choices
        label={t('settings.appearance')}
        value={appearance}
        choices={appearances.map((value) => ({ value, label: t(`shell.${value}`) }))}
        onChange={(value) => theme.select(value)}
      />
      <fieldset className={styles.gallery}>
        <legend className="visually-hidden">{t('settings.theme')}</legend>
        {ids.map((id) => (
          <label key={id} className={styles.theme}>
            <input type="radio" className="visually-hidden" name="theme" checked={settings.theme === id} onChange={() => void theme.change({ theme: id })} />
            <ThemePreview id={id} isDark={isDark} />
            <span>{t(themes[id].title)}</span>
          </label>
        ))}
      </fieldset>
    </Section>
  );
}

function ThemePreview({ id, isDark }: { readonly id: ThemeId; readonly isDark: boolean }) {
  return (
    <span className={styles.preview} data-theme={id} arco-theme={isDark ? 'dark' : undefined} aria-hidden="true">
      <span className={styles.previewSide}>
        <i className={styles.previewHead} />
        <i />
        <i className={styles.previewChosen} />
        <i />
      </span>
      <span className={styles.previewBar} />
      <span className={styles.previewTags}>
        <i />
        <i className={styles.previewTag} />
      </span>
      <span className={styles.previewPage}>
        <i />
        <b />
      </span>
    </span>
  );
}
