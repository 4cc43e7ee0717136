import { useEffect } from 'react';
import type { ReferenceSource } from '#shared/fields';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { Http } from '../../platform/http/http.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { type ReferenceTitle, ReferenceTitles, titleIn } from './reference-titles.ts';

/** Text of a value that references a row. */
export interface ReferenceLabel {
  readonly text: string;
  readonly status: ReferenceTitle['status'];
}

/** Returns a function that gives the titles of referenced rows; a new `occasion` fetches titles that may have changed. */
export function useReferenceLabels(source: ReferenceSource | undefined, values: readonly string[], refreshKey?: unknown): (value: string) => ReferenceLabel {
  const t = useTranslation();
  const titles = ReferenceTitles.of(useService(Http));
  const titleState = useStore(titles, (state) => state);
  const wanted = values.join(',');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the occasion is what makes it ask again
  useEffect(() => {
    if (source) for (const value of wanted.split(',').filter(Boolean)) titles.load(source, value);
  }, [titles, source, wanted, refreshKey]);

  return (value) => {
    const title = source ? titleIn(titleState, source, value) : { status: 'unread' as const };
    const text = title.status === 'known' ? title.title : title.status === 'unread' ? value : t(`crud.reference.${title.status}`);
    return { text, status: title.status };
  };
}
