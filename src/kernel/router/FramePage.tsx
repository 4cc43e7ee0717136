import type { MenuItem } from '#shared/menus';
import { useWords } from '../i18n/use-words.ts';
import { useMenuTitles } from './atlas.tsx';
import styles from './FramePage.module.css';

/** A foreign page in a frame; only addresses of this user's own menu get here, and nothing of the session goes with them. */
export function FramePage({ item }: { readonly item: MenuItem }) {
  const title = useWords()(useMenuTitles()(item));
  const isForeign = new URL(item.path, window.location.origin).origin !== window.location.origin;
  // A page of our own origin with both permissions could take the sandbox off itself.
  const sandbox = `allow-forms allow-scripts allow-popups allow-downloads${isForeign ? ' allow-same-origin' : ''}`;
  return <iframe className={styles.frame} src={item.path} title={title} sandbox={sandbox} referrerPolicy="no-referrer" />;
}
