import { useRef, useState } from 'react';
import { CrudPage, type CrudScreen, SidePanel, ToldOnce, useWords } from '#kernel';
import { type TenantRow, tenant, tenantWords } from '../contract.ts';
import { tenantMenu } from '../menus.ts';
import { DeletedTenants } from './DeletedTenants.tsx';

type Created = TenantRow & { readonly account?: string; readonly password?: string };

/** Tenants. How the first administrator of a new one signs in is told here, once. */
export default function TenantPage() {
  const say = useWords();
  const [created, tell] = useState<Created>();
  const [isLooking, look] = useState(false);
  const list = useRef<CrudScreen<TenantRow>>(undefined);
  return (
    <>
      <CrudPage
        crud={tenant}
        title={tenantMenu.title}
        fields={[
          'tenantId',
          'tenantName',
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
          accountNumber: { render: ({ accountNumber }) => ((accountNumber ?? -1) > 0 ? accountNumber : say(tenantWords.unlimited)) },
          contactNumber: { hidden: true },
          datasourceId: { hidden: true },
          expireTime: { render: ({ expireTime }) => expireTime ?? say(tenantWords.unlimited) },
        }}
        onSaved={(saved: Created) => saved.password && tell(saved)}
        actions={{
          toolbar: [
            {
              title: tenantWords.deleted,
              code: 'tenant_delete',
              onClick: (_ids, screen) => {
                list.current = screen;
                look(true);
              },
            },
          ],
        }}
      />
      <SidePanel open={isLooking} title={say(tenantWords.deleted)} onClose={() => look(false)}>
        <DeletedTenants onRestored={() => list.current?.reload()} />
      </SidePanel>
      {created && (
        <ToldOnce
          title={tenantWords.created}
          facts={[
            { title: tenantWords.code, value: created.tenantId },
            { title: tenantWords.account, value: created.account ?? '' },
            { title: tenantWords.password, value: created.password ?? '' },
          ]}
          onClose={() => tell(undefined)}
        />
      )}
    </>
  );
}
