import { CrudPage, Http, Toasts, useService, useWords } from '#kernel';
import { deletedTenants, tenant, tenantWords } from '../contract.ts';

/** Tenants that can still be brought back, with everything they had. */
export function DeletedTenants({ onRestored }: { readonly onRestored: () => void }) {
  const http = useService(Http);
  const toasts = useService(Toasts);
  const say = useWords();
  const restore = async (id: string, reload: () => void) => {
    const answer = await http.send(tenant.restore, { ids: [id] });
    if (!answer.success) return;
    toasts.success(say(tenantWords.restored));
    reload();
    onRestored();
  };
  return (
    <CrudPage
      crud={deletedTenants}
      title={tenantWords.deleted}
      fields={['tenantId', 'tenantName', 'linkman', 'deletedAt', 'restorableUntil']}
      actions={{ row: [{ title: tenantWords.restore, code: 'tenant_delete', onClick: ({ id }, { reload }) => void restore(id, reload) }] }}
    />
  );
}
