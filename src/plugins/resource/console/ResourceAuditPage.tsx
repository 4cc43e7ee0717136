import { useState } from 'react';
import { type CrudAction, CrudPage, FilePreview, Http, kindOf, type RowErrand, readableSize, smallView, Toasts, useService, useWords } from '#kernel';
import { mayBecome, type ResourceRow, resourceAudit, standings } from '../contract.ts';
import { resourceAuditMenu } from '../menus.ts';
import styles from './resource.module.css';
import { words } from './words.ts';

const { entity, menu, list, approve, reject } = resourceAudit;
const refusal: RowErrand = { title: words.rejecting, confirm: words.reject, done: words.rejected, call: reject, fields: ['reason'] };

const mayApprove = ({ status }: ResourceRow) => mayBecome(standings.approved, status);

/** Files that wait for somebody to find them fit; with a status chosen, those that were decided. */
export default function ResourceAuditPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const say = useWords();
  const [shown, show] = useState<ResourceRow>();
  const approving: CrudAction<readonly string[], ResourceRow>['onClick'] = async (ids, screen) => {
    if (!(await http.send(approve, { ids: [...ids] })).success) return;
    toasts.success(say(words.approved));
    screen.reload();
  };
  return (
    <>
      <CrudPage
        crud={{ entity, menu, list }}
        title={resourceAuditMenu.title}
        fields={['name', 'ext', 'mime', 'size', 'userName', 'status', 'createTime', 'reason']}
        columns={{ name: { render: (row) => <Named of={row} /> }, size: { render: ({ size }) => readableSize(size) }, mime: { hidden: true } }}
        actions={{
          toolbar: [{ title: words.approveChosen, when: mayApprove, onClick: approving }],
          row: [
            { title: words.preview, onClick: show },
            { title: words.approve, when: mayApprove, onClick: ({ id }, screen) => approving([id], screen) },
            { title: words.reject, when: ({ status }) => mayBecome(standings.rejected, status), onClick: (row, { ask }) => ask(row, refusal) },
          ],
        }}
      />
      {shown?.url && <FilePreview of={{ type: shown.mime ?? '', link: shown.url, originalName: shown.name }} onClose={() => show(undefined)} />}
    </>
  );
}

/** What a file is called, beside a small view of it where it is a picture. */
function Named({ of: { name, mime, url } }: { readonly of: ResourceRow }) {
  return (
    <span className={styles.named}>
      {url && kindOf(mime ?? '') === 'picture' && <img src={smallView(url)} alt="" loading="lazy" />}
      <span title={name}>{name}</span>
    </span>
  );
}
