import { Button, Input, Modal } from '@arco-design/web-react';
import { useId, useRef, useState } from 'react';
import { Http, useQuery, useService, useTranslation } from '#kernel';
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
  const http = useService(Http);
  const t = useTranslation();
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [isRemoving, setIsRemoving] = useState(false);
  const counted = useQuery(tenant.holdings, { id: row.id });
  const remove = async () => {
    setIsRemoving(true);
    const answer = await http.send(tenant.remove, { ids: [row.id] }).catch(() => undefined);
    setIsRemoving(false);
    if (answer?.success) onRemoved();
  };
  return (
    <div ref={place}>
      <Modal
        visible
        title={t(tenantMessages.removeTitle, { name: row.tenantName })}
        onCancel={onClose}
        getPopupContainer={() => place.current?.parentElement ?? document.body}
        footer={
          <>
            <Button onClick={onClose}>{t(tenantMessages.cancel)}</Button>
            <Button
              type="primary"
              status="danger"
              loading={isRemoving}
              disabled={!counted.reply || typed.trim() !== row.tenantId}
              onClick={() => void remove()}
            >
              {t(tenantMessages.remove)}
            </Button>
          </>
        }
      >
        <p>{t(tenantMessages.removeHint)}</p>
        {counted.hasFailed && (
          <p role="alert">
            {t(tenantMessages.countFailed)} <Button onClick={counted.reload}>{t(tenantMessages.retry)}</Button>
          </p>
        )}
        {!counted.hasFailed && !counted.reply && <p role="status">{t(tenantMessages.counting)}</p>}
        {counted.reply && (
          <dl className={styles.holdings}>
            {counted.reply.map(({ title, count, amount }) => (
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
