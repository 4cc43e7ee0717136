import { ConfigProvider } from '@arco-design/web-react';
import zhCN from '@arco-design/web-react/es/locale/zh-CN';
import { type ReactNode, useEffect, useState } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { Locale } from '../../platform/i18n/locale.ts';

const loadEnglish = () => import('@arco-design/web-react/es/locale/en-US').then((module) => module.default);

/** Calendars and lists follow their field when the form scrolls. */
const componentConfig = { Trigger: { updateOnScroll: true } };

/** Sets the language of Arco's own texts to that of the console; Arco bundles Chinese, English is loaded on first use. */
export function ArcoLocale({ children }: { readonly children: ReactNode }) {
  const locale = useService(Locale);
  const language = useStream(locale.language$, locale.language);
  const [english, setEnglish] = useState<typeof zhCN>();
  useEffect(() => {
    if (language !== 'en' || english) return;
    loadEnglish().then(
      (loaded) => setEnglish(loaded as typeof zhCN),
      () => undefined, // Arco stays in Chinese after a failure; the console has its own texts already.
    );
  }, [language, english]);
  return (
    <ConfigProvider locale={language === 'en' && english ? english : zhCN} componentConfig={componentConfig}>
      {children}
    </ConfigProvider>
  );
}
