import { useEffect } from 'react';
import type { MenuItem } from '#shared/menus';
import { openAddress } from '../../platform/browser/open-address.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { ProblemView } from '../../ui/errors/ProblemView.tsx';
import { embeddedAddress } from '../routes/menu-address.ts';
import { useMenuTitles, useRouteTable } from '../routes/route-table.tsx';
import styles from './FramePage.module.css';

/** Embeds an external page where the deployment allows its origin; only addresses of this user's own menu get here, and no session data is passed. */
export function FramePage({ item }: { readonly item: MenuItem }) {
  const title = useTranslation()(useMenuTitles()(item));
  const { frames = [] } = useRouteTable();
  const address = embeddedAddress(item);
  if (!mayFrame(address, frames)) return <RefusedFrame address={address} title={title} />;
  const isForeign = new URL(address).origin !== window.location.origin;
  // A page of our own origin with both permissions could remove the sandbox.
  const sandbox = `allow-forms allow-scripts allow-popups allow-downloads${isForeign ? ' allow-same-origin' : ''}`;
  return <iframe className={styles.frame} src={address} title={title} sandbox={sandbox} referrerPolicy="no-referrer" />;
}

/** Opens the page in a new window at once and explains why it is not embedded and which setting allows it. */
function RefusedFrame({ address, title }: { readonly address: string; readonly title: string }) {
  const t = useTranslation();
  useEffect(() => {
    // A tab restored by a reload opens nothing: browsers block windows that open without a click or a key.
    if ((navigator.userActivation as UserActivation | undefined)?.isActive !== false) openAddress(address);
  }, [address]);
  return (
    <ProblemView
      title={t('navigation.refusedTitle', { title })}
      explanation={t('navigation.refused', { origin: new URL(address).origin })}
      actions={[{ label: t('navigation.openWindow'), onAction: () => openAddress(address) }]}
    />
  );
}

/** Tells whether a page may be embedded: one of our own origin, or of an origin the deployment lists in Content-Security-Policy syntax. */
export function mayFrame(address: string, frames: readonly string[]): boolean {
  const { origin } = new URL(address);
  return origin === window.location.origin || frames.some((pattern) => patternOf(pattern).test(origin));
}

/** `*.` stands for one or more labels, `:*` for any port. */
function patternOf(source: string): RegExp {
  const [plain = '', anyPort = ''] = /^(.*?)(:\*)?$/.exec(source.toLowerCase())?.slice(1) ?? [];
  const escaped = plain.replace(/[.\\+?^$|()[\]{}]/g, '\\$&').replace('*', '[\\w.-]+');
  return new RegExp(`^${escaped}${anyPort && '(:\\d+)?'}$`);
}
