import { IconCheck, IconCopy } from '@arco-design/web-react/icon';
import { useEffect, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { copyText } from '../../platform/browser/copy-text.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';

/** Copies a value and confirms it for a moment. */
export function CopyButton({ value, onCopied }: { readonly value: string; readonly onCopied?: () => void }) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    const timer = isCopied ? setTimeout(() => setIsCopied(false), 1500) : undefined;
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async () => {
    if (!(await copyText(value))) return toasts.warning(t('table.copyFailed'));
    setIsCopied(true);
    onCopied?.();
  };
  const label = t(isCopied ? 'table.copied' : 'table.copy');
  return (
    <button
      type="button"
      className="cell__copy"
      aria-label={label}
      title={label}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      {isCopied ? <IconCheck /> : <IconCopy />}
    </button>
  );
}
