import { useState } from 'react';
import {
  type CrudAction,
  CrudPage,
  FilePreview,
  fileKind,
  formatBytes,
  Http,
  type PendingRowAction,
  Toasts,
  thumbnailUrl,
  useService,
  useTranslation,
} from '#kernel';
import type { LocalizedText } from '#shared/text';
import { mayBecome, type ResourceRow, resourceAudit, standings } from '../contract.ts';
import { resourceAuditMenu } from '../menus.ts';
import { resourceMessages } from './messages.ts';
import styles from './resource.module.css';

const { entity, menu, list, decide } = resourceAudit;
const refusal: PendingRowAction = {
  title: resourceMessages.rejecting,
  confirm: resourceMessages.reject,
  done: resourceMessages.rejected,
  call: decide,
  input: { status: standings.rejected },
  fields: ['reason'],
};

const mayApprove = ({ status }: ResourceRow) => mayBecome(standings.approved, status);

/** Lists files that wait for an audit or, with a status filter, those that were decided. */
export default function ResourceAuditPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [shown, setShown] = useState<ResourceRow>();
  const deciding =
    (status: 0 | 1, done: LocalizedText): CrudAction<readonly string[], ResourceRow>['onClick'] =>
    async (ids, screen) => {
      if (!(await http.send(decide, { ids: [...ids], status })).success) return;
      toasts.success(t(done));
      screen.reload();
    };
  const approving = deciding(standings.approved, resourceMessages.approved);
  const reopening = deciding(standings.waiting, resourceMessages.reopened);
  return (
    <>
      <CrudPage
        crud={{ entity, menu, list }}
        title={resourceAuditMenu.title}
        fields={['name', 'ext', 'mime', 'size', 'userName', 'status', 'createTime', 'reason']}
        columns={{ name: { render: (row) => <Named of={row} /> }, size: { render: ({ size }) => formatBytes(size) }, mime: { hidden: true } }}
        actions={{
          toolbar: [{ title: resourceMessages.approveChosen, when: mayApprove, onClick: approving }],
          row: [
            { title: resourceMessages.preview, onClick: setShown },
            { title: resourceMessages.approve, when: mayApprove, onClick: ({ id }, screen) => approving([id], screen) },
            { title: resourceMessages.reopen, when: ({ status }) => status !== standings.waiting, onClick: ({ id }, screen) => reopening([id], screen) },
            { title: resourceMessages.reject, when: ({ status }) => mayBecome(standings.rejected, status), onClick: (row, { ask }) => ask(row, refusal) },
          ],
        }}
      />
      {shown?.url && <FilePreview of={{ type: shown.mime ?? '', link: shown.url, originalName: shown.name }} onClose={() => setShown(undefined)} />}
    </>
  );
}

/** Shows the name of a file, with a thumbnail for pictures. */
function Named({ of: { name, mime, url } }: { readonly of: ResourceRow }) {
  return (
    <span className={styles.named}>
      {url && fileKind(mime ?? '') === 'picture' && <img src={thumbnailUrl(url)} alt="" loading="lazy" />}
      <span title={name}>{name}</span>
    </span>
  );
}
