import { useEffect, useMemo } from 'react';
import { FormattedText, Http, loadable, useDictionary, useService, useStream } from '#kernel';
import { reading } from '../contract.ts';

/** Shows one notice and marks it as read. */
export function NoticeText({ id, onTitle }: { readonly id: string; readonly onTitle: (title: string) => void }) {
  const http = useService(Http);
  const categories = useDictionary('notice');
  const shown$ = useMemo(() => loadable(http.send(reading.open, { id })), [http, id]);
  const { value } = useStream(shown$, { status: 'loading' });
  useEffect(() => {
    if (!value) return;
    onTitle(value.title);
    void http.send(reading.read, { ids: [value.id] }, { quiet: true });
  }, [http, value, onTitle]);
  if (!value) return null;
  return (
    <article className="notice-text">
      <p className="notice-text__about">
        {categories.find(({ key }) => key === value.category)?.title} <time>{value.releaseTime}</time>
      </p>
      <FormattedText html={value.content} />
    </article>
  );
}
