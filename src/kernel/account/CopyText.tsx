import { useService } from '../base/react/services.tsx';
import { copyText } from '../platform/browser/copy-text.ts';
import { Toasts } from '../platform/feedback/toasts.ts';
import { useTranslation } from '../platform/i18n/use-translation.ts';
import styles from './AccountPage.module.css';

/** Copies a text to the clipboard and reports whether that worked. */
export function CopyText({ value }: { readonly value: string }) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const copy = async () => {
    if (await copyText(value)) toasts.success(t('account.copied'));
    else toasts.error(t('account.copyFailed'));
  };
  return (
    <button type="button" className={styles.action} onClick={() => void copy()}>
      {t('account.copy')}
    </button>
  );
}
