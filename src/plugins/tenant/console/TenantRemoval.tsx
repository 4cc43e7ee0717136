import { Button, Input, Modal } from '@arco-design/web-react';
import { useId, useRef, useState } from 'react';
import { useMutation, useQuery, useTranslation } from '#kernel';
import { type TenantRow, tenant, tenantMessages } from '../contract.ts';
import styles from './tenant.module.css';

const numbers = new Intl.NumberFormat('zh-CN');
const money = new Intl.NumberFormat('zh-CN', { style: 'currency', currency: 'CNY', currencyDisplay: 'narrowSymbol' });

interface TenantRemovalProps {
  readonly row: TenantRow;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Lists the data that is deleted with a tenant, and deletes the tenant once its code is typed. */
export function TenantRemoval({ row, onRemoved, onClose }: TenantRemovalProps) {
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
