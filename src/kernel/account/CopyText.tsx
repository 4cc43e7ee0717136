import { useService } from '../base/react/services.tsx';
import { copyText } from '../platform/browser/copy-text.ts';
import { Toasts } from '../platform/feedback/toasts.ts';
import { useText } from '../platform/i18n/use-words.ts';
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
