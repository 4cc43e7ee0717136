import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { Icon } from '../../../ui/primitives/Icon.tsx';
import styles from '../styles/SignInPage.module.css';
import type { Captcha } from './captcha.ts';

interface SignInCaptchaProps {
  readonly captcha: Captcha;
  /** True when the operator has just changed from the proof of work to the picture. */
  readonly takesFocus: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onReload: () => void;
  /** Changes back to the proof of work. */
  readonly onWork: () => void;
  readonly problem: string | undefined;
  readonly describedBy: string | undefined;
}

/** Renders the code's field beside its picture; a click on the picture fetches another one. */
export default function SignInCaptcha({ captcha, takesFocus, value, onChange, onReload, onWork, problem, describedBy }: SignInCaptchaProps) {
  const t = useTranslation();
  return (
    <div className={styles.captcha}>
      <TextField
        name="code"
        label={t('signIn.code')}
        value={value}
        onChange={onChange}
        describedBy={describedBy}
        maxLength={5}
        autoComplete="off"
        autoFocus={takesFocus}
        autoCapitalize="off"
        spellCheck={false}
        problem={captcha.hasFailed ? t('signIn.captchaFailed') : problem}
      />
      <button type="button" className={styles.captchaPicture} onClick={onReload} aria-label={t('signIn.newCaptcha')} title={t('signIn.newCaptcha')}>
        {captcha.image && !captcha.hasFailed ? <img src={captcha.image} alt={t('signIn.captchaImage')} /> : <Icon name="refresh" />}
      </button>
      <button type="button" className={styles.cannotRead} onClick={onWork} hidden={captcha.work === undefined}>
        {t('signIn.captchaUnreadable')}
      </button>
    </div>
  );
}
