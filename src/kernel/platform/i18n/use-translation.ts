import { useMemo } from 'react';
import type { LocalizedText, TextValues } from '#shared/text';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { Locale } from './locale.ts';
import type { TextKey } from './texts.ts';

/** Returns the text in the current language, with its `{name}` placeholders filled: a text of a contract or plugin, or one of the kernel's own by its typed key. */
export type Translate = (text: LocalizedText | TextKey, values?: TextValues) => string;

/** Returns the function that translates texts; the component follows changes of the language. */
export function useTranslation(): Translate {
  const locale = useService(Locale);
  const language = useStream(locale.language$, locale.language);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function for each language makes whatever depends on it render again.
  return useMemo(() => (text, values) => locale.t(text, values), [locale, language]);
}
