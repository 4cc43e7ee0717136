import { useState } from 'react';
import { type BatchAction, CrudPage, FilePreview, fileKind, formatBytes, Http, type PendingRowAction, thumbnailUrl, useService } from '#kernel';
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
  const [previewed, setPreviewed] = useState<ResourceRow>();
  const decideWith = (status: 0 | 1, title: LocalizedText, done: LocalizedText): BatchAction => ({
    title,
    done,
    send: async (ids) => {
      const { success, data } = await http.send(decide, { ids: [...ids], status, partial: true });
      return success ? data : undefined;
    },
  });
  const approve = decideWith(auditStates.approved, resourceMessages.approve, resourceMessages.approved);
  const reopen = decideWith(auditStates.pending, resourceMessages.reopen, resourceMessages.reopened);
  return (
    <>
      <CrudPage
        crud={{ entity, menu, list }}
        title={resourceAuditMenu.title}
        empty={{ title: resourceMessages.emptyTitle, hint: resourceMessages.emptyHint }}
        fields={['name', 'ext', 'mime', 'size', 'userName', 'status', 'createTime', 'reason']}
        columns={{ name: { render: (row) => <FileName row={row} /> }, size: { render: ({ size }) => formatBytes(size) }, mime: { hidden: true } }}
        actions={{
          toolbar: [{ title: resourceMessages.approveSelected, when: canApprove, onClick: (ids, { batch }) => batch(ids, approve) }],
          row: [
            { title: resourceMessages.preview, onClick: setPreviewed },
            { title: resourceMessages.approve, when: canApprove, onClick: ({ id }, { batch }) => batch([id], approve) },
            { title: resourceMessages.reopen, when: ({ status }) => status !== auditStates.pending, onClick: ({ id }, { batch }) => batch([id], reopen) },
            {
              title: resourceMessages.reject,
              when: ({ status }) => canTransition(auditStates.rejected, status),
              onClick: (row, { openRowAction }) => openRowAction(row, rejection),
            },
          ],
        }}
      />
      {previewed?.url && (
        <FilePreview file={{ type: previewed.mime ?? '', link: previewed.url, originalName: previewed.name }} onClose={() => setPreviewed(undefined)} />
      )}
    </>
  );
}

/** Shows the name of a file, with a thumbnail for pictures. */
function FileName({ row: { name, mime, url } }: { readonly row: ResourceRow }) {
  return (
    <span className={styles.named}>
      {url && fileKind(mime ?? '') === 'image' && <img src={thumbnailUrl(url)} alt="" loading="lazy" />}
      <span title={name}>{name}</span>
    </span>
  );
}
