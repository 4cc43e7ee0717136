import { useCallback } from 'react';
import { Http, MenuIcon, OrderList, SidePanel, useOrder, useService, useTranslation } from '#kernel';
import type { RowOf } from '#shared/contract';
import { type Menu, menuMessages, menus } from '../contract.ts';
import styles from './access.module.css';

type MenuRow = RowOf<typeof Menu>;

interface MenuOrderProps {
  readonly parentId: string;
  readonly onClose: () => void;
}

/** Sorts the entries below a parent. Each move is saved at once and appears in open consoles at once. */
export function MenuOrder({ parentId, onClose }: MenuOrderProps) {
  const t = useTranslation();
  const http = useService(Http);
  const read = useCallback(
    async (signal: AbortSignal) => {
      const answer = await http.send(menus.lazy, { parentId }, { signal });
      return answer.success ? answer.data : [];
    },
    [http, parentId],
  );
  const { rows, order } = useOrder<MenuRow>(read, async (next) => (await http.send(menus.order, { parentId, ids: next.map(({ id }) => id) })).success);
  return (
    <SidePanel open title={t(menuMessages.arrange)} width={480} onClose={onClose}>
      <p className={styles.orderHint}>{t('order.hint')}</p>
      <OrderList
        rows={rows ?? []}
        nameOf={({ name, nameEn }) => t([name, nameEn || name])}
        pictureOf={({ source }) => source && <MenuIcon name={source} />}
        onOrder={(next) => void order(next)}
      />
    </SidePanel>
  );
}
