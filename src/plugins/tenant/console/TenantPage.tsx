import { Button, Input, Modal } from '@arco-design/web-react';
import { useId, useRef, useState } from 'react';
import {
  CrudPage,
  type CrudScreen,
  Dialogs,
  formatDateTime,
  Http,
  OneTimeSecret,
  Session,
  SidePanel,
  Tag,
  Toasts,
  useMutation,
  useQuery,
  useService,
  useTranslation,
} from '#kernel';
import type { LocalizedText } from '#shared/text';
import { deletedTenants, type TenantRow, tenant, tenantStatus } from '../contract.ts';
import { tenantMenu } from '../menus.ts';
import { type CreatedTenant, nouns, tenantMessages, welcomeMessage } from './messages.ts';
import styles from './tenant.module.css';

const numbers = new Intl.NumberFormat('zh-CN');
const money = new Intl.NumberFormat('zh-CN', { style: 'currency', currency: 'CNY', currencyDisplay: 'narrowSymbol' });

interface TenantRemovalProps {
  readonly row: TenantRow;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Lists the data that is deleted with a tenant, and deletes the tenant once its code is typed. */
function TenantRemoval({ row, onRemoved, onClose }: TenantRemovalProps) {
  const t = useTranslation();
  const id = useId();
  const containerRef = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const { data: holdings, isPending, refetch } = useQuery(tenant.holdings, { id: row.id }, { quiet: true });
  const remove = useMutation(tenant.remove, { onSuccess: onRemoved });
  return (
    <div ref={containerRef}>
      <Modal
        visible
        title={t(tenantMessages.removeTitle, { name: row.tenantName })}
        onCancel={onClose}
        getPopupContainer={() => containerRef.current?.parentElement ?? document.body}
        footer={
          <>
            <Button onClick={onClose}>{t('shell.cancel')}</Button>
            <Button
              type="primary"
              status="danger"
              loading={remove.isPending}
              disabled={!holdings || typed.trim() !== row.tenantId}
              onClick={() => void remove.mutate({ ids: [row.id] })}
            >
              {t(tenantMessages.remove)}
            </Button>
          </>
        }
      >
        <p>{t(tenantMessages.removeHint)}</p>
        {!holdings && !isPending && (
          <p role="alert">
            {t(tenantMessages.countFailed)} <Button onClick={refetch}>{t(tenantMessages.retry)}</Button>
          </p>
        )}
        {isPending && <p role="status">{t(tenantMessages.counting)}</p>}
        {holdings && (
          <dl className={styles.holdings}>
            {holdings.map(({ title, count, amount }) => (
              <div key={title[1]}>
                <dt>{t(title)}</dt>
                <dd>
                  {numbers.format(count)}
                  {amount !== undefined && <span>{money.format(amount / 100)}</span>}
                </dd>
              </div>
            ))}
          </dl>
        )}
        <label htmlFor={id}>{t(tenantMessages.typeCode, { code: row.tenantId })}</label>
        <Input id={id} value={typed} onChange={setTyped} autoComplete="off" placeholder={row.tenantId} />
      </Modal>
    </div>
  );
}

const platformTenant = '000000';
/** Omits the generic delete: a tenant is deleted in a dialog of its own, which requires typing the tenant's code. */
const { remove: _remove, ...crud } = tenant;
/** Tells whether a tenant has expired; times of rows are in the zone of the deployment. */
const isExpired = ({ expireTime }: TenantRow, zone: string | undefined) => expireTime !== null && expireTime <= formatDateTime(Date.now(), zone);

/** Lists tenants. The sign-in details of a new tenant's first administrator are shown once, after it is created. */
export default function TenantPage() {
  const t = useTranslation();
  const [created, setCreated] = useState<CreatedTenant>();
  const [isDeletedOpen, setIsDeletedOpen] = useState(false);
  const [removing, setRemoving] = useState<TenantRow>();
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const zone = useService(Session).user?.time_zone;
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
    toasts.success(t(tenantMessages.removed), { title: t(tenantMessages.undo), onClick: () => void restore(id) });
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
              return isExpired(row, zone) ? <Tag tone="warning">{t(tenantMessages.expired)}</Tag> : <Tag tone="good">{t(tenantMessages.active)}</Tag>;
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
              onClick: (row, { reload }) => suspend(row, reload),
            },
            {
              title: tenantMessages.resume,
              code: 'tenant_edit',
              when: ({ status }) => status === tenantStatus.suspended,
              onClick: ({ id }, { reload }) => send(tenant.resume, id, tenantMessages.resumed, reload),
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
          fullText={{ title: tenantMessages.welcomeMessage, text: welcomeMessage(created, window.location.origin) }}
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
      empty={{ title: tenantMessages.noDeleted, hint: tenantMessages.noDeletedHint }}
      fields={['tenantId', 'tenantName', 'linkman', 'deletedAt', 'restorableUntil']}
      actions={{ row: [{ title: tenantMessages.restore, code: 'tenant_delete', onClick: ({ id }, { reload }) => restore(id, reload) }] }}
    />
  );
}
