import { CrudPage, Http, Toasts, useService, useTranslation } from '#kernel';
import { deletedTenants, tenant, tenantMessages } from '../contract.ts';

/** Lists deleted tenants that can still be restored with all their data. */
export function DeletedTenants({ onRestored }: { readonly onRestored: () => void }) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const restore = async (id: string, reload: () => void) => {
    const answer = await http.send(tenant.restore, { ids: [id] });
    if (!answer.success) return;
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
