import { ConfigProvider } from '@arco-design/web-react';
import enUS from '@arco-design/web-react/es/locale/en-US';
import zhCN from '@arco-design/web-react/es/locale/zh-CN';
import type { ReactNode } from 'react';
import { Locale } from '../i18n/locale.ts';
import { useService } from '../services.tsx';
import { useStream } from '../use-stream.ts';

/** Lets the words inside Arco's own components follow the reader's language. */
export function ArcoLocale({ children }: { readonly children: ReactNode }) {
  const locale = useService(Locale);
  const language = useStream(locale.language$, locale.language);
  return <ConfigProvider locale={language === 'zh' ? zhCN : enUS}>{children}</ConfigProvider>;
}
