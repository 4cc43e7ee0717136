import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { Locale } from '../../platform/i18n/locale.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Theme } from '../../platform/theme/theme.ts';
import { useIsDark } from '../../platform/theme/use-is-dark.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import { IconButton } from '../../ui/primitives/IconButton.tsx';
import styles from './styles/SignInPage.module.css';

/** Offers the language and the light or dark theme before sign-in. */
export function SignInControls() {
  const t = useTranslation();
  const locale = useService(Locale);
  const theme = useService(Theme);
  const language = useStream(locale.language$, locale.language);
  const isDark = useIsDark();
  return (
    <div className={styles.controls}>
      <button
        type="button"
        className={styles.language}
        lang={language === 'zh' ? 'en' : 'zh-CN'}
        onClick={() => locale.setLanguage(language === 'zh' ? 'en' : 'zh')}
      >
        <Icon name="globe" size={16} />
        {t('signIn.otherLanguage')}
      </button>
      <IconButton label={t(isDark ? 'shell.light' : 'shell.dark')} onClick={() => theme.select(isDark ? 'light' : 'dark')}>
        <Icon name={isDark ? 'light' : 'dark'} />
      </IconButton>
    </div>
  );
}
