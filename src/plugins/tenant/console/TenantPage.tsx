import { useRef, useState } from 'react';
import { CrudPage, type CrudScreen, Dialogs, Http, OneTimeSecret, SidePanel, Tag, Toasts, useService, useTranslation } from '#kernel';
import type { LocalizedText } from '#shared/text';
import { deletedTenants, type TenantRow, tenant, tenantMessages, tenantStatus } from '../contract.ts';
import { tenantMenu } from '../menus.ts';
import { type CreatedTenant, letterTo } from './letter.ts';
import { nouns } from './nouns.ts';
import { TenantRemoval } from './TenantRemoval.tsx';

const platformTenant = '000000';
/** Omits the generic delete: a tenant is deleted in a dialog of its own, which requires typing the tenant's code. */
const { remove: _remove, ...crud } = tenant;
const isExpired = ({ expireTime }: TenantRow) => expireTime !== null && new Date(expireTime.replace(' ', 'T')).getTime() <= Date.now();

/** Lists tenants. The sign-in details of a new tenant's first administrator are shown once, after it is created. */
export default function TenantPage() {
  const t = useTranslation();
  const [created, setCreated] = useState<CreatedTenant>();
  const [isDeletedOpen, setIsDeletedOpen] = useState(false);
  const [removing, setRemoving] = useState<TenantRow>();
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const list = useRef<CrudScreen<TenantRow>>(undefined);
  const send = async (call: typeof tenant.suspend | typeof tenant.resume, id: string, message: LocalizedText, reload: () => void) => {
    if (!(await http.send(call, { ids: [id] })).success) return;
    toasts.success(t(message));
    reload();
  };
  const suspend = async ({ id, tenantName }: TenantRow, reload: () => void) => {
    const question = {
      title: t(tenantMessages.suspendTitle, { name: tenantName }),
      content: t(tenantMessages.suspendQuestion),
      confirm: t(tenantMessages.suspend),
      danger: true,
    };
    if (await dialogs.confirm(question)) await send(tenant.suspend, id, tenantMessages.suspended, reload);
  };
  const restore = async (id: string) => {
    if ((await http.send(tenant.restore, { ids: [id] })).success) list.current?.reload();
  };
  const removed = ({ id }: TenantRow) => {
    setRemoving(undefined);
    list.current?.reload();
    toasts.success(t(tenantMessages.removed), { title: t(tenantMessages.undo), onChoose: () => void restore(id) });
  };
  return (
    <>
      <CrudPage
        crud={crud}
        title={tenantMenu.title}
        noun={nouns.tenant}
        fields={[
          'tenantId',
          'tenantName',
          'status',
          'linkman',
          'contactNumber',
          'address',
          'packageId',
          'accountNumber',
          'expireTime',
          'domain',
          'backgroundUrl',
          'datasourceId',
          'createTime',
        ]}
        columns={{
          accountNumber: { render: ({ accountNumber }) => ((accountNumber ?? -1) > 0 ? accountNumber : t(tenantMessages.unlimited)) },
          status: {
            render: (row) => {
              if (row.status === tenantStatus.suspended) return <Tag tone="danger">{t(tenantMessages.suspended)}</Tag>;
              return isExpired(row) ? <Tag tone="warning">{t(tenantMessages.expired)}</Tag> : <Tag tone="good">{t(tenantMessages.active)}</Tag>;
            },
          },
          contactNumber: { hidden: true },
          datasourceId: { hidden: true },
          expireTime: { render: ({ expireTime }) => expireTime ?? t(tenantMessages.unlimited) },
        }}
        onSaved={(saved: CreatedTenant) => saved.password && setCreated(saved)}
        actions={{
          row: [
            {
              title: tenantMessages.suspend,
              code: 'tenant_edit',
              when: ({ tenantId, status }) => tenantId !== platformTenant && status === tenantStatus.active,
              onClick: (row, { reload }) => void suspend(row, reload),
            },
            {
              title: tenantMessages.resume,
              code: 'tenant_edit',
              when: ({ status }) => status === tenantStatus.suspended,
              onClick: ({ id }, { reload }) => void send(tenant.resume, id, tenantMessages.resumed, reload),
            },
            {
              title: tenantMessages.remove,
              code: 'tenant_delete',
              when: ({ tenantId }) => tenantId !== platformTenant,
              onClick: (row, screen) => {
                list.current = screen;
                setRemoving(row);
              },
            },
          ],
          toolbar: [
            {
              title: tenantMessages.deleted,
              code: 'tenant_delete',
              onClick: (_ids, screen) => {
                list.current = screen;
                setIsDeletedOpen(true);
              },
            },
          ],
        }}
      />
      <SidePanel open={isDeletedOpen} title={t(tenantMessages.deleted)} onClose={() => setIsDeletedOpen(false)}>
        <DeletedTenants onRestored={() => list.current?.reload()} />
      </SidePanel>
      {removing && <TenantRemoval key={removing.id} row={removing} onRemoved={() => removed(removing)} onClose={() => setRemoving(undefined)} />}
      {created && (
        <OneTimeSecret
          title={tenantMessages.created}
          secrets={[
            { title: tenantMessages.code, value: created.tenantId },
            { title: tenantMessages.account, value: created.account ?? '' },
            { title: tenantMessages.password, value: created.password ?? '' },
          ]}
          fullText={{ title: tenantMessages.letter, text: letterTo(created, window.location.origin) }}
          onClose={() => setCreated(undefined)}
        />
      )}
    </>
  );
}

/** Lists deleted tenants that can still be restored with all their data. */
function DeletedTenants({ onRestored }: { readonly onRestored: () => void }) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const restore = async (id: string, reload: () => void) => {
    const response = await http.send(tenant.restore, { ids: [id] });
    if (!response.success) return;
    toasts.success(t(tenantMessages.restored));
    reload();
    onRestored();
  };
  return (
    <CrudPage
      crud={deletedTenants}
      title={tenantMessages.deleted}
      fields={['tenantId', 'tenantName', 'linkman', 'deletedAt', 'restorableUntil']}
      actions={{ row: [{ title: tenantMessages.restore, code: 'tenant_delete', onClick: ({ id }, { reload }) => void restore(id, reload) }] }}
    />
  );
}
