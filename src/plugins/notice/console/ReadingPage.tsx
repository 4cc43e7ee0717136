import { useEffect, useState } from 'react';
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
  const close = () => {
    if (openId) setReadIds(new Set([...readIds, openId]));
    setOpenId('');
  };
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
              <button type="button" className="notice-title" data-unread={isUnread(row)} onClick={() => setOpenId(row.id)}>
                {row.title}
              </button>
            ),
          },
        }}
      />
      {openId && (
        <SidePanel open title={title} onClose={close}>
          <NoticeText id={openId} onTitle={setTitle} />
        </SidePanel>
      )}
    </>
  );
}

/** Shows one notice and marks it as read. */
function NoticeText({ id, onTitle }: { readonly id: string; readonly onTitle: (title: string) => void }) {
  const http = useService(Http);
  const categories = useDictionary('notice');
  const { data: value } = useQuery(reading.open, { id }, { refetchOnMount: false });
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
