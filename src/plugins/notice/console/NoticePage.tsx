import { useState } from 'react';
import { CrudPage, SidePanel, useWords } from '#kernel';
import { type NoticeLineRow, notice, noticeWords, readers } from '../contract.ts';
import { noticeMenu } from '../menus.ts';
import { nouns } from './nouns.ts';

/** Lists notices for their authors, and the readers of the selected one. */
export default function NoticePage() {
  const say = useWords();
  const [asked, setAsked] = useState<{ readonly id: string; readonly title: string }>();
  const released = ({ releasedAt, readCount = 0 }: NoticeLineRow) =>
    releasedAt ? say(noticeWords.readCount, { time: releasedAt, count: readCount }) : say(noticeWords.waiting);
  return (
    <>
      <CrudPage
        crud={notice}
        title={noticeMenu.title}
        noun={nouns.notice}
        presentation="drawer"
        formWidth={820}
        columns={{ releasedAt: { width: 280, render: (row) => released(row as unknown as NoticeLineRow) } }}
        actions={{ row: [{ title: noticeWords.readers, onClick: ({ id, title }) => setAsked({ id, title }) }] }}
      />
      {asked && (
        <SidePanel open title={say(noticeWords.readersOf, { name: asked.title })} onClose={() => setAsked(undefined)}>
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
