import { useMemo, useSyncExternalStore } from 'react';
import { type Language, say, type Words, type WordValues } from '#shared/text';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { KernelTexts } from './kernel-texts.ts';
import { Locale } from './locale.ts';
import type { TextKey } from './texts.ts';

/** Returns a function that translates texts of a contract; the component follows changes of the language. */
export function useWords(): (words: Words, values?: WordValues) => string {
  const locale = useService(Locale);
  const language = useStream(locale.language$, locale.language);
  return useMemo(() => (words: Words, values?: WordValues) => say(words, language, values), [language]);
}

/** Returns a function that translates the kernel's own texts by their typed key; the component follows changes of the language. */
export function useText(): (key: TextKey, values?: WordValues) => string {
  const texts = useService(KernelTexts);
  const language = useSyncExternalStore(texts.follow, () => texts.i18n.language as Language);
  return useMemo(() => (key: TextKey, values?: WordValues) => texts.textIn(language, key, values), [texts, language]);
}
