import { useState } from 'react';
import { CrudPage, SidePanel, useWords } from '#kernel';
import { type NoticeLineRow, notice, noticeWords, readers } from '../contract.ts';
import { noticeMenu } from '../menus.ts';

/** Notices for those who write them, and beside them who has read one. */
export default function NoticePage() {
  const say = useWords();
  const [asked, ask] = useState<{ readonly id: string; readonly title: string }>();
  const released = ({ releasedAt, readCount = 0 }: NoticeLineRow) =>
    releasedAt ? say(noticeWords.readCount, { time: releasedAt, count: readCount }) : say(noticeWords.waiting);
  return (
    <>
      <CrudPage
        crud={notice}
        title={noticeMenu.title}
        presentation="drawer"
        formWidth={820}
        columns={{ releasedAt: { width: 280, render: (row) => released(row as unknown as NoticeLineRow) } }}
        actions={{ row: [{ title: noticeWords.readers, onClick: ({ id, title }) => ask({ id, title }) }] }}
      />
      {asked && (
        <SidePanel open title={say(noticeWords.readersOf, { name: asked.title })} onClose={() => ask(undefined)}>
          <CrudPage
            crud={readers}
            title={noticeWords.readers}
            fields={['account', 'realName', 'readTime']}
            filter={{ id: asked.id }}
            columns={{ readTime: { render: ({ readTime }) => readTime ?? say(noticeWords.unread) } }}
          />
        </SidePanel>
      )}
    </>
  );
}
