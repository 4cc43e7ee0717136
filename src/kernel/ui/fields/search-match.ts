import type Pinyin from 'pinyin-match';
import { useEffect, useState } from 'react';

let pinyin: typeof Pinyin | undefined;

/** Loads the pinyin library, which a page does not need until someone searches in a picker. */
export async function loadPinyin(): Promise<void> {
  pinyin ??= (await import('pinyin-match')).default;
}

/** Loads the pinyin once it is wanted and renders again when it is there, so that a filter with `matchesSearch` applies it. */
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

/** Tells whether a text contains what was typed, as it is written or, once loaded, by its pinyin or initials. */
export function matchesSearch(text: string, query: string): boolean {
  const needle = query.trim().toLowerCase();
  if (needle === '' || text.toLowerCase().includes(needle)) return true;
  if (!pinyin) void loadPinyin();
  return pinyin !== undefined && pinyin.match(text, needle) !== false;
}
