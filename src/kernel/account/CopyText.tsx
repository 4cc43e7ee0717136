import { copyText } from '../copy-text.ts';
import { useText } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { Toasts } from '../shell/toasts.ts';
import styles from './AccountPage.module.css';

/** Copies a text to the clipboard and reports whether that worked. */
export function CopyText({ value }: { readonly value: string }) {
  const text = useText();
  const toasts = useService(Toasts);
  const copy = async () => {
    if (await copyText(value)) toasts.success(text('account.copied'));
    else toasts.error(text('account.copyFailed'));
  };
  return (
    <button type="button" className={styles.action} onClick={() => void copy()}>
      {text('account.copy')}
    </button>
  );
}
