import { useState } from 'react';
import { CrudPage, SidePanel } from '#kernel';
import { type ReadableNotice, reading } from '../contract.ts';
import { noticeReadingMenu } from '../menus.ts';
import { NoticeText } from './NoticeText.tsx';
import './reading.css';

/** The notices of whoever is signed in; one is read beside the list. The address may name one by `id`. */
export default function ReadingPage() {
  const [opened, open] = useState(() => new URLSearchParams(window.location.search).get('id') ?? undefined);
  const [title, entitle] = useState('');
  const [seen, see] = useState<ReadonlySet<string>>(new Set());
  const isUnread = (row: { readonly id: string }) => !seen.has(row.id) && !(row as ReadableNotice).isRead;
  const close = () => {
    if (opened) see(new Set([...seen, opened]));
    open(undefined);
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
              <button type="button" className="notice-title" data-unread={isUnread(row)} onClick={() => open(row.id)}>
                {row.title}
              </button>
            ),
          },
        }}
      />
      {opened && (
        <SidePanel open title={title} onClose={close}>
          <NoticeText id={opened} onTitle={entitle} />
        </SidePanel>
      )}
    </>
  );
}
