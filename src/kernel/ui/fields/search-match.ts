import type Pinyin from 'pinyin-match';
import { useEffect, useState } from 'react';

let pinyin: typeof Pinyin | undefined;

let loading: Promise<void> | undefined;

/** Loads the pinyin library, which a page needs only when a user searches in a select or a list. After a failure, the next call tries again. */
export function loadPinyin(): Promise<void> {
  loading ??= import('pinyin-match').then(
    (module) => {
      pinyin = module.default;
    },
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** Loads the pinyin library once `isWanted` is true, and renders the component again when it has loaded, so that `matchesSearch` can use it. */
export function usePinyin(isWanted = true): void {
  const [, setIsLoaded] = useState(false);
  useEffect(() => {
    if (!isWanted || pinyin) return undefined;
    let isMounted = true;
    // If the library cannot be loaded, text is still found as it is written.
    loadPinyin().then(
      () => isMounted && setIsLoaded(true),
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, [isWanted]);
}

/** Tests whether a text contains the query as it is written or, once the library has loaded, by pinyin or initials. */
export function matchesSearch(text: string, query: string): boolean {
  const needle = query.trim().toLowerCase();
  if (needle === '' || text.toLowerCase().includes(needle)) return true;
  if (!pinyin) loadPinyin().catch(() => undefined);
  return pinyin !== undefined && pinyin.match(text, needle) !== false;
}
