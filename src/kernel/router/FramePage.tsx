import type { MenuItem } from '#shared/menus';
import { ProblemView } from '../errors/ProblemView.tsx';
import { useText, useWords } from '../i18n/use-words.ts';
import { useAtlas, useMenuTitles } from './atlas.tsx';
import styles from './FramePage.module.css';
import { mayFrame } from './frame-origins.ts';
import { embeddedAddress } from './menu-address.ts';

/** A foreign page in a frame, where the deployment allows its origin; only addresses of this user's own menu get here, and nothing of the session goes with them. */
export function FramePage({ item }: { readonly item: MenuItem }) {
  const title = useWords()(useMenuTitles()(item));
  const { frames = [] } = useAtlas();
  const address = embeddedAddress(item);
  if (!mayFrame(address, frames)) return <RefusedFrame address={address} title={title} />;
  const isForeign = new URL(address).origin !== window.location.origin;
  // A page of our own origin with both permissions could take the sandbox off itself.
  const sandbox = `allow-forms allow-scripts allow-popups allow-downloads${isForeign ? ' allow-same-origin' : ''}`;
  return <iframe className={styles.frame} src={address} title={title} sandbox={sandbox} referrerPolicy="no-referrer" />;
}

/** Says why the page is not here, and where it is. */
function RefusedFrame({ address, title }: { readonly address: string; readonly title: string }) {
  const text = useText();
  return (
    <ProblemView
      title={text('navigation.refusedTitle', { title })}
      explanation={text('navigation.refused', { origin: new URL(address).origin })}
      actions={[{ label: text('navigation.openWindow'), onAction: () => window.open(address, '_blank', 'noopener,noreferrer') }]}
    />
  );
}
