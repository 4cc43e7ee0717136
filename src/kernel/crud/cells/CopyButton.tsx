import { IconCheck, IconCopy } from '@arco-design/web-react/icon';
import { useEffect, useState } from 'react';
import { copyText } from '../../copy-text.ts';
import { useText } from '../../i18n/use-words.ts';
import { useService } from '../../services.tsx';
import { Toasts } from '../../shell/toasts.ts';

/** Copies a value, and says for a moment that it has. */
export function CopyButton({ value }: { readonly value: string }) {
  const text = useText();
  const toasts = useService(Toasts);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    const timer = isCopied ? setTimeout(() => setCopied(false), 1500) : undefined;
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async () => {
    if (await copyText(value)) setCopied(true);
    else toasts.warning(text('table.copyFailed'));
  };
  const label = text(isCopied ? 'table.copied' : 'table.copy');
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
