import { useState } from 'react';
import { CrudPage, SidePanel } from '#kernel';
import { type ReadableNotice, reading } from '../contract.ts';
import { noticeReadingMenu } from '../menus.ts';
import { NoticeText } from './NoticeText.tsx';
import './reading.css';

/** Lists the notices for the signed-in user beside the open one. The query parameter `id` selects a notice. */
export default function ReadingPage() {
  const [opened, setOpened] = useState(() => new URLSearchParams(window.location.search).get('id') ?? undefined);
  const [title, setTitle] = useState('');
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const isUnread = (row: { readonly id: string }) => !seen.has(row.id) && !(row as ReadableNotice).isRead;
  const close = () => {
    if (opened) setSeen(new Set([...seen, opened]));
    setOpened(undefined);
  };
  return (
    <>
      <CrudPage
        crud={reading}
        title={noticeReadingMenu.title}
        fields={['title', 'category', 'releaseTime']}
        columns={{
          title: {
            width: 420,
            render: (row) => (
              <button type="button" className="notice-title" data-unread={isUnread(row)} onClick={() => setOpened(row.id)}>
                {row.title}
              </button>
            ),
          },
        }}
      />
      {opened && (
        <SidePanel open title={title} onClose={close}>
          <NoticeText id={opened} onTitle={setTitle} />
        </SidePanel>
      )}
    </>
  );
}
