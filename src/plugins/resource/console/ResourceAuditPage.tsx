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
import { auditStates, canTransition, type ResourceRow, resourceAudit } from '../contract.ts';
import { resourceAuditMenu } from '../menus.ts';
import { resourceMessages } from './messages.ts';
import styles from './resource.module.css';

const { entity, menu, list, decide } = resourceAudit;
const rejection: PendingRowAction = {
  title: resourceMessages.rejectTitle,
  confirm: resourceMessages.reject,
  done: resourceMessages.rejected,
  call: decide,
  input: { status: auditStates.rejected },
  fields: ['reason'],
};

const canApprove = ({ status }: ResourceRow) => canTransition(auditStates.approved, status);

/** Lists files that wait for an audit or, with a status filter, those that were decided. */
export default function ResourceAuditPage() {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const [previewed, setPreviewed] = useState<ResourceRow>();
  const decideWith =
    (status: 0 | 1, done: LocalizedText): CrudAction<readonly string[], ResourceRow>['onClick'] =>
    async (ids, screen) => {
      if (!(await http.send(decide, { ids: [...ids], status })).success) return;
      toasts.success(t(done));
      screen.reload();
    };
  const approve = decideWith(auditStates.approved, resourceMessages.approved);
  const reopen = decideWith(auditStates.pending, resourceMessages.reopened);
  return (
    <>
      <CrudPage
        crud={{ entity, menu, list }}
        title={resourceAuditMenu.title}
        fields={['name', 'ext', 'mime', 'size', 'userName', 'status', 'createTime', 'reason']}
        columns={{ name: { render: (row) => <FileName of={row} /> }, size: { render: ({ size }) => formatBytes(size) }, mime: { hidden: true } }}
        actions={{
          toolbar: [{ title: resourceMessages.approveSelected, when: canApprove, onClick: approve }],
          row: [
            { title: resourceMessages.preview, onClick: setPreviewed },
            { title: resourceMessages.approve, when: canApprove, onClick: ({ id }, screen) => approve([id], screen) },
            { title: resourceMessages.reopen, when: ({ status }) => status !== auditStates.pending, onClick: ({ id }, screen) => reopen([id], screen) },
            {
              title: resourceMessages.reject,
              when: ({ status }) => canTransition(auditStates.rejected, status),
              onClick: (row, { openRowAction }) => openRowAction(row, rejection),
            },
          ],
        }}
      />
      {previewed?.url && (
        <FilePreview of={{ type: previewed.mime ?? '', link: previewed.url, originalName: previewed.name }} onClose={() => setPreviewed(undefined)} />
      )}
    </>
  );
}

/** Shows the name of a file, with a thumbnail for pictures. */
function FileName({ of: { name, mime, url } }: { readonly of: ResourceRow }) {
  return (
    <span className={styles.named}>
      {url && fileKind(mime ?? '') === 'picture' && <img src={thumbnailUrl(url)} alt="" loading="lazy" />}
      <span title={name}>{name}</span>
    </span>
  );
}
