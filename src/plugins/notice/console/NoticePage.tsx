import { useState } from 'react';
import { CrudPage, SidePanel, useTranslation } from '#kernel';
import { type NoticeLineRow, notice, noticeMessages, readers } from '../contract.ts';
import { noticeMenu } from '../menus.ts';
import { nouns } from './nouns.ts';

/** Lists notices for their authors, and the readers of the selected one. */
export default function NoticePage() {
  const t = useTranslation();
  const [openNotice, setOpenNotice] = useState<{ readonly id: string; readonly title: string }>();
  const released = ({ releasedAt, readCount = 0 }: NoticeLineRow) =>
    releasedAt ? t(noticeMessages.readCount, { time: releasedAt, count: readCount }) : t(noticeMessages.waiting);
  return (
    <>
      <CrudPage
        crud={notice}
        title={noticeMenu.title}
        noun={nouns.notice}
        presentation="drawer"
        formWidth={820}
        columns={{ releasedAt: { width: 280, render: (row) => released(row as unknown as NoticeLineRow) }, createTime: { hidden: true } }}
        actions={{ row: [{ title: noticeMessages.readers, onClick: ({ id, title }) => setOpenNotice({ id, title }) }] }}
      />
      {openNotice && (
        <SidePanel open title={t(noticeMessages.readersOf, { name: openNotice.title })} onClose={() => setOpenNotice(undefined)}>
          <CrudPage
            crud={readers}
            title={noticeMessages.readers}
            empty={{ title: noticeMessages.noReaders, hint: noticeMessages.noReadersHint }}
            fields={['account', 'realName', 'readTime']}
            filter={{ id: openNotice.id }}
            columns={{ readTime: { render: ({ readTime }) => readTime ?? t(noticeMessages.unread) } }}
          />
        </SidePanel>
      )}
    </>
  );
}
