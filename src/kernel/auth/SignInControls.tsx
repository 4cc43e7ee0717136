import { Locale } from '../i18n/locale.ts';
import { useText } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { Icon } from '../shell/Icon.tsx';
import { IconButton } from '../shell/IconButton.tsx';
import { Theme } from '../theme/theme.ts';
import { useIsDark } from '../theme/use-is-dark.ts';
import { useStream } from '../use-stream.ts';
import styles from './SignInPage.module.css';

/** Offers the language and the light or dark theme before sign-in. */
export function SignInControls() {
  const text = useText();
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
        onClick={() => locale.choose(language === 'zh' ? 'en' : 'zh')}
      >
        <Icon name="globe" size={16} />
        {text('signIn.otherLanguage')}
      </button>
      <IconButton label={text(isDark ? 'shell.light' : 'shell.dark')} onClick={() => theme.choose(isDark ? 'light' : 'dark')}>
        <Icon name={isDark ? 'light' : 'dark'} />
      </IconButton>
    </div>
  );
}
