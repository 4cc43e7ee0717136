import { useEffect, useRef, useState } from 'react';
import type { LocalizedText } from '#shared/text';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { mainId } from '../../ui/primitives/main-id.ts';
import { useLocationTitle } from '../routes/place-title.ts';
import { useAddress } from '../routes/use-address.ts';
import { tabDetails } from '../tabs/tab-details.ts';
import { keyOf } from '../tabs/tab-rules.ts';
import { TabStore } from '../tabs/tab-store.ts';

/** Sets the window title to that of the page, announces each navigation to screen readers, and moves a lost focus to the page. */
export function Announcer({ productTitle }: { readonly productTitle: LocalizedText }) {
  const t = useTranslation();
  const product = t(productTitle);
  const { pathname, search } = useAddress();
  const place = keyOf(pathname + search);
  const tabs = useStream(useService(TabStore).tabs$, []);
  const own = tabs.find(({ key }) => key === place)?.words;
  const known = useLocationTitle()(pathname);
  const title = own ? t(own) : known;
  // The tab of this page may not exist yet.
  const here = { title, location: place };
  const detail = tabDetails([...tabs.filter(({ key }) => key !== place), here])(here);
  const [announced, setAnnounced] = useState('');
  const before = useRef<string>(undefined);

  useEffect(() => {
    document.title = title ? `${title} - ${product}` : product;
  }, [title, product]);

  useEffect(() => {
    if (title === '' || before.current === place) return;
    const isFirst = before.current === undefined;
    before.current = place;
    if (isFirst) return;
    setAnnounced(t('shell.navigatedTo', { title: detail ? `${title} · ${detail}` : title }));
    if (document.activeElement === null || document.activeElement === document.body) document.getElementById(mainId)?.focus({ preventScroll: true });
  }, [place, title, detail, t]);

  return (
    <div className="visually-hidden" role="status">
      {announced}
    </div>
  );
}
