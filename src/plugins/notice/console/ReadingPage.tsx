import { useCallback, useEffect, useState } from 'react';
import { CrudPage, FormattedText, Http, SidePanel, useAddressText, useDictionary, useQuery, useService } from '#kernel';
import { noticeMessages, type ReadableNotice, reading } from '../contract.ts';
import { noticeReadingMenu } from '../menus.ts';
import './reading.css';

/** Lists the notices for the signed-in user beside the open one. The query parameter `id` selects a notice. */
export default function ReadingPage() {
  const [openId, setOpenId] = useAddressText('id');
  const [title, setTitle] = useState('');
  const [readIds, setReadIds] = useState<ReadonlySet<string>>(new Set());
  const isUnread = (row: { readonly id: string }) => !readIds.has(row.id) && !(row as ReadableNotice).isRead;
  const markRead = useCallback((id: string) => setReadIds((ids) => new Set([...ids, id])), []);
  return (
    <>
      <CrudPage
        crud={reading}
        title={noticeReadingMenu.title}
        empty={{ title: noticeMessages.noNotices, hint: noticeMessages.noNoticesHint }}
        fields={['title', 'category', 'releaseTime']}
        columns={{
          title: {
            width: 420,
            render: (row) => (
              <button
                type="button"
                className="notice-title"
                data-unread={isUnread(row)}
                onClick={() => {
                  setTitle(row.title);
                  setOpenId(row.id);
                }}
              >
                {row.title}
              </button>
            ),
          },
        }}
      />
      {openId && (
        <SidePanel open title={title} onClose={() => setOpenId('')}>
          <NoticeText id={openId} onTitle={setTitle} onRead={markRead} />
        </SidePanel>
      )}
    </>
  );
}

interface NoticeTextProps {
  readonly id: string;
  readonly onTitle: (title: string) => void;
  /** Called with the id of the notice once the server has stored that it was read. */
  readonly onRead: (id: string) => void;
}

/** Shows one notice and marks it as read. */
function NoticeText({ id, onTitle, onRead }: NoticeTextProps) {
  const http = useService(Http);
  const categories = useDictionary('notice');
  const { data: value } = useQuery(reading.open, { id }, { refetchOnMount: false });
  useEffect(() => {
    if (!value) return;
    onTitle(value.title);
    http.send(reading.read, { ids: [value.id] }, { quiet: true }).then(
      ({ success }) => success && onRead(value.id),
      () => undefined,
    );
  }, [http, value, onTitle, onRead]);
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
