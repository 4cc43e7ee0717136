import { useText } from '../../../platform/i18n/use-words.ts';
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
  const text = useText();
  return (
    <div className={styles.captcha}>
      <TextField
        name="code"
        label={text('signIn.code')}
        value={value}
        onChange={onChange}
        describedBy={describedBy}
        maxLength={5}
        autoComplete="off"
        autoFocus={takesFocus}
        autoCapitalize="off"
        spellCheck={false}
        problem={captcha.hasFailed ? text('signIn.captchaFailed') : problem}
      />
      <button type="button" className={styles.captchaPicture} onClick={onReload} aria-label={text('signIn.newCaptcha')} title={text('signIn.newCaptcha')}>
        {captcha.image && !captcha.hasFailed ? <img src={captcha.image} alt={text('signIn.captchaImage')} /> : <Icon name="refresh" />}
      </button>
      <button type="button" className={styles.cannotRead} onClick={onWork} hidden={captcha.work === undefined}>
        {text('signIn.cannotRead')}
      </button>
    </div>
  );
}
